#include "cli/common/plot_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::plot_file_problem;
using cli::write_plot;

constexpr const char* kSvg =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"9\" "
    "height=\"9\"/></svg>\n";

/// An empty PATH until the end of the scope.
class EmptyPath {
 public:
  EmptyPath() : path_(std::getenv("PATH")) { ::setenv("PATH", "/nowhere", 1); }
  ~EmptyPath() { ::setenv("PATH", path_.c_str(), 1); }
  EmptyPath(const EmptyPath&) = delete;
  EmptyPath& operator=(const EmptyPath&) = delete;

 private:
  std::string path_;
};

TEST(PlotFile, SvgIsWrittenAsItIs) {
  const TemporaryFile base("");
  const std::string file = base.path() + ".svg";
  write_plot(file, kSvg);
  EXPECT_EQ(text_of(file), kSvg);
  std::filesystem::remove(file);
}

TEST(PlotFile, PngHasTwiceThePixelsOfTheSvg) {
  if (!plot_file_problem("x.png").empty()) GTEST_SKIP() << plot_file_problem("x.png");
  const TemporaryFile base("");
  const std::string file = base.path() + ".png";
  write_plot(file, kSvg);
  const std::string png = text_of(file);
  std::filesystem::remove(file);
  ASSERT_GT(png.size(), 24U);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png[19], 60);  // the low bytes of width and height, in the header chunk
  EXPECT_EQ(png[23], 40);
}

TEST(PlotFile, UnusableFileNamesAreRejectedBeforeTheComputation) {
  EXPECT_EQ(plot_file_problem("motion.svg"), "");
  for (const char* name : {"motion.jpg", "motion", ".svg", "png"}) {
    EXPECT_NE(plot_file_problem(name).find("must end in .svg or .png"), std::string::npos);
  }
  const EmptyPath nothing_installed;
  EXPECT_EQ(plot_file_problem("motion.svg"), "");
  EXPECT_NE(plot_file_problem("motion.png").find("apt-get install librsvg2-bin"),
            std::string::npos);
  const Outcome outcome = run_cli({"body", "tumble", "--plot", "motion.png"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.errors.find("librsvg2-bin"), std::string::npos) << outcome.errors;
}

TEST(PlotFile, AFailureNamesTheFile) {
  for (const char* file : {"/nowhere/at/all.svg", "/nowhere/at/all.png"}) {
    try {
      write_plot(file, kSvg);
      ADD_FAILURE() << file;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
