// The robot description of a node's parameters.
#include "runtime/robot_source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

const std::string kPendulum =
    std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf";

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + "spatial_dynamics_source_" + name + "_" +
         std::to_string(::getpid()) + ".urdf";
}

TEST(RobotSource, TextComesBeforeAFileAndNeitherMeansTheTopic) {
  RobotConfig config;
  EXPECT_EQ(configured_urdf(config), "");
  config.urdf_file = kPendulum;
  EXPECT_NE(configured_urdf(config).find("<robot"), std::string::npos);
  config.robot_description = "<robot/>";
  EXPECT_EQ(configured_urdf(config), "<robot/>");
}

TEST(RobotSource, UnreadableFileIsNamedWithCauseAndParameter) {
  const std::string empty = temporary("empty");
  std::ofstream{empty};
  const std::vector<std::pair<std::string, std::string>> causes = {
      {"/no/such/file.urdf", "does not exist"}, {"/", "is a directory"}, {empty, "is empty"}};
  for (const auto& [name, cause] : causes) {
    RobotConfig config;
    config.urdf_file = name;
    try {
      configured_urdf(config);
      ADD_FAILURE() << name;
    } catch (const ModelError& error) {
      const std::string file = "file '" + name + "'";
      EXPECT_EQ(error.element(), file);
      EXPECT_EQ(std::string(error.what()).find("parameter urdf_file: " + file + " " + cause), 0u)
          << error.what();
    }
  }
  std::filesystem::remove(empty);
}

TEST(RobotSource, LargeFileIsReadOnlyUpToTheLimit) {
  RobotConfig config;
  config.urdf_file = temporary("large");
  std::ofstream{config.urdf_file};
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  std::filesystem::resize_file(config.urdf_file, 40 * kMebibyte);  // a hole, which takes no space
  const std::size_t size = configured_urdf(config).size();
  EXPECT_GT(size, 16 * kMebibyte);
  EXPECT_LT(size, 17 * kMebibyte);
  std::filesystem::remove(config.urdf_file);
}

TEST(RobotSource, ARejectionNamesTheFileIfThereIsOne) {
  const auto reject = [](std::string_view) { throw ModelError("joint 'j'", "joint 'j' is odd."); };
  RobotConfig config;
  EXPECT_FALSE(set_configured_robot(config, reject));
  config.urdf_file = kPendulum;
  const auto sentence = [&] {
    try {
      set_configured_robot(config, reject);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.element(), "joint 'j'");
      return std::string(error.what());
    }
    return std::string("not rejected");
  };
  EXPECT_EQ(sentence(), "file '" + kPendulum + "': joint 'j' is odd.");
  config.robot_description = "<robot/>";
  EXPECT_EQ(sentence(), "joint 'j' is odd.");
  EXPECT_TRUE(set_configured_robot(config, [](std::string_view) {}));
}

TEST(RobotSource, ARobotIsIntroducedWithItsWarnings) {
  Config config;
  config.urdf_file = kPendulum;
  ModelReport report;
  Model model = load_robot(configured_urdf(config), config, &report);
  report.findings.push_back(
      {FindingCode::kMasslessLink, Severity::kWarning, "link 'a'", "is doubtful", "correct it"});
  report.findings.push_back(
      {FindingCode::kUnlimitedJoint, Severity::kInfo, "link 'b'", "is fine", ""});
  const Robot robot(std::move(model), report, config);
  const auto lines = introduce(robot);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, LogLevel::kInfo);
  EXPECT_EQ(lines[0].second, "robot 'double_pendulum' loaded: 2 joints");
  EXPECT_EQ(lines[1].first, LogLevel::kWarning);
  EXPECT_EQ(lines[1].second, "link 'a': is doubtful; correct it");
}

}  // namespace
}  // namespace spatial_dynamics::test
