#include "cli/picture.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "process.hpp"
#include "robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::picture_file_complaint;
using cli::write_picture;

constexpr const char* kSvg =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"9\" "
    "height=\"9\"/></svg>\n";

/// PATH without anything, to the end of the scope.
class EmptyPath {
 public:
  EmptyPath() : path_(std::getenv("PATH")) { ::setenv("PATH", "/nowhere", 1); }
  ~EmptyPath() { ::setenv("PATH", path_.c_str(), 1); }
  EmptyPath(const EmptyPath&) = delete;
  EmptyPath& operator=(const EmptyPath&) = delete;

 private:
  std::string path_;
};

TEST(Picture, SvgIsWrittenAsItIs) {
  const TemporaryFile base("");
  const std::string file = base.path() + ".svg";
  write_picture(file, kSvg);
  EXPECT_EQ(text_of(file), kSvg);
  std::filesystem::remove(file);
}

TEST(Picture, PngHasTwiceThePixelsOfTheSvg) {
  if (!picture_file_complaint("x.png").empty()) GTEST_SKIP() << picture_file_complaint("x.png");
  const TemporaryFile base("");
  const std::string file = base.path() + ".png";
  write_picture(file, kSvg);
  const std::string png = text_of(file);
  std::filesystem::remove(file);
  ASSERT_GT(png.size(), 24U);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png[19], 60);  // the low bytes of width and height, in the header chunk
  EXPECT_EQ(png[23], 40);
}

TEST(Picture, WhatCannotBeDrawnIsSaidBeforeTheWork) {
  EXPECT_EQ(picture_file_complaint("motion.svg"), "");
  for (const char* name : {"motion.jpg", "motion", ".svg", "png"}) {
    EXPECT_NE(picture_file_complaint(name).find("must end in .svg or .png"), std::string::npos);
  }
  const EmptyPath nothing_installed;
  EXPECT_EQ(picture_file_complaint("motion.svg"), "");
  EXPECT_NE(picture_file_complaint("motion.png").find("apt-get install librsvg2-bin"),
            std::string::npos);
  const Outcome outcome = run_cli({"body", "tumble", "--plot", "motion.png"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.errors.find("librsvg2-bin"), std::string::npos) << outcome.errors;
}

TEST(Picture, AFailureNamesTheFile) {
  for (const char* file : {"/nowhere/at/all.svg", "/nowhere/at/all.png"}) {
    try {
      write_picture(file, kSvg);
      ADD_FAILURE() << file;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
