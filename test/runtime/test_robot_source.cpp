// Where a node's robot comes from.
#include "spatial_dynamics/runtime/robot_source.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

const std::string kPendulum =
    std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf";

TEST(RobotSource, TextComesBeforeAFileAndNeitherMeansTheTopic) {
  RobotConfig config;
  EXPECT_EQ(configured_urdf(config), "");
  config.urdf_file = kPendulum;
  EXPECT_NE(configured_urdf(config).find("<robot"), std::string::npos);
  config.robot_description = "<robot/>";
  EXPECT_EQ(configured_urdf(config), "<robot/>");
}

TEST(RobotSource, AFileThatCantBeReadIsNamed) {
  for (const std::string name : {"/no/such/file.urdf", "/"}) {
    RobotConfig config;
    config.urdf_file = name;
    try {
      configured_urdf(config);
      FAIL() << name;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("'" + name + "'"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("urdf_file"), std::string::npos);
    }
  }
}

TEST(RobotSource, ARefusalNamesTheFileIfItCameFromOne) {
  const auto refuse = [](std::string_view) { throw ModelError("joint 'j'", "joint 'j' is odd."); };
  RobotConfig config;
  EXPECT_FALSE(set_configured_robot(config, refuse));
  config.urdf_file = kPendulum;
  const auto sentence = [&] {
    try {
      set_configured_robot(config, refuse);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.element(), "joint 'j'");
      return std::string(error.what());
    }
    return std::string("not refused");
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
  report.findings.push_back({Severity::kWarning, "link 'a'", "is odd", "mend it"});
  report.findings.push_back({Severity::kInfo, "link 'b'", "is fine", ""});
  const Robot robot(std::move(model), report, config);
  const auto lines = introduce(robot);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, LogLevel::kInfo);
  EXPECT_EQ(lines[0].second, "robot 'double_pendulum' loaded: 2 joints");
  EXPECT_EQ(lines[1].first, LogLevel::kWarning);
  EXPECT_EQ(lines[1].second, "link 'a': is odd; mend it");
}

}  // namespace
}  // namespace spatial_dynamics::test
