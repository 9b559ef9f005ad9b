// Generated code is compiled, cached and loaded.
#include "spatial_dynamics/dynamics/generated_library.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "kernels/kernel_test.hpp"

namespace spatial_dynamics::test {
namespace {

class GeneratedLibraryTest : public ::testing::Test {
 protected:
  ~GeneratedLibraryTest() override {
    if (compiler_.empty()) {
      ::unsetenv("CXX");
    } else {
      ::setenv("CXX", compiler_.c_str(), 1);
    }
    std::filesystem::remove_all(folder);
  }
  static std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  }

  Random random{5};
  Model model = random_tree(random, {2});
  std::string folder = ::testing::TempDir() + "generated_library" + std::to_string(::getpid());

 private:
  std::string compiler_ = environment("CXX");
};

TEST_F(GeneratedLibraryTest, TheSameRobotIsCompiledOnce) {
  const std::string path = GeneratedLibrary::build(model, {}, folder).path();
  const auto written = std::filesystem::last_write_time(path);
  EXPECT_EQ(GeneratedLibrary::build(model, {}, folder).path(), path);
  EXPECT_EQ(std::filesystem::last_write_time(path), written);
}

TEST_F(GeneratedLibraryTest, AnotherRobotOfTheSameNameIsCompiledAgain) {
  const GenerateOptions options{"robot", ""};
  const std::string path = GeneratedLibrary::build(model, options, folder).path();
  const Model other = random_tree(random, {2});
  EXPECT_NE(GeneratedLibrary::build(other, options, folder).path(), path);
}

TEST_F(GeneratedLibraryTest, FoldersWritableByOthersAreRejected) {
  const std::filesystem::path path = GeneratedLibrary::build(model, {}, folder).path();
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path.parent_path()).permissions(), perms::owner_all);
  std::filesystem::permissions(path.parent_path(), perms::group_write,
                               std::filesystem::perm_options::add);
  try {
    GeneratedLibrary::build(model, {}, folder);
    FAIL() << "loaded from a folder that others may write to";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(
        std::string(error.what()).rfind("others may write to " + path.parent_path().string(), 0),
        0u)
        << error.what();
  }
}

TEST_F(GeneratedLibraryTest, LeavesNoTemporaryFiles) {
  const std::filesystem::path path = GeneratedLibrary::build(model, {}, folder).path();
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path())) {
    const std::string kind = entry.path().extension().string();
    EXPECT_TRUE(kind == ".hpp" || kind == ".cpp" || kind == ".so") << entry.path();
  }
}

TEST_F(GeneratedLibraryTest, FunctionsOutliveTheMovedFromObject) {
  GeneratedLibrary first = GeneratedLibrary::build(model, {}, folder);
  const GeneratedLibrary second = std::move(first);
  EXPECT_EQ(second.functions().nv(), model.nv());
}

/// 75 joints: functions are written in parts, and forward dynamics calls the other two.
using GeneratedLargeRobot = GeneratedLibraryTest;

// build() compares the result with the kernels.
TEST_F(GeneratedLargeRobot, CompilesInAMinuteOfProcessorTime) {
  RandomTreeOptions options;
  options.joints = 75;
  const Model large = random_tree(random, options);
  ASSERT_EQ(large.nv(), 75);
  const std::string source = generate_code(large).source;
  EXPECT_NE(source.find("forward_dynamics_loaded"), std::string::npos);
  EXPECT_NE(source.find("mass_matrix_part1"), std::string::npos);
  EXPECT_NE(source.find("  solve(M, drive, acceleration);"), std::string::npos);
  rusage before{}, after{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  GeneratedLibrary::build(large, {}, folder);
  ::getrusage(RUSAGE_CHILDREN, &after);
  EXPECT_LT(after.ru_utime.tv_sec - before.ru_utime.tv_sec, 60);
}

TEST_F(GeneratedLibraryTest, AMissingCompilerIsNamed) {
  ::setenv("CXX", "no-such-compiler", 1);
  try {
    GeneratedLibrary::build(model, {}, folder);
    FAIL() << "it was compiled";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("'no-such-compiler' could not compile"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(GeneratedLibraryTest, EmptyLibraryFileIsRejected) {
  const std::string path = GeneratedLibrary::build(model, {}, folder).path();
  std::filesystem::resize_file(path, 0);
  EXPECT_THROW(GeneratedLibrary::build(model, {}, folder), std::runtime_error);
}

}  // namespace
}  // namespace spatial_dynamics::test
