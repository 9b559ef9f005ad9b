#include "runtime/stiffness_report.hpp"

#include <gtest/gtest.h>

#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class StiffnessReportTest : public ::testing::Test {
 protected:
  StiffnessReportTest() { config.torque_mode = TorqueMode::kJointImpedance; }
  /// Of one joint.
  void command(const std::string& joint, double stiffness) {
    JointStateView message;
    message.names = {joint};
    message.effort = {&stiffness, 1};
    ASSERT_EQ(robot.inbox.on_stiffness(message), RejectionReason::kNone);
  }

  Config config = make_config(ParameterSet(parameter_table()));
  Robot robot{load_urdf_file(shipped_urdf("arm7")), {}, config};
  StiffnessReport report;
};

TEST_F(StiffnessReportTest, NamesJointsUnlessAllAreEqual) {
  EXPECT_EQ(stiffness_text(robot, config), "10 for all joints");
  command("elbow", 50.0);
  const std::string text = stiffness_text(robot, config);
  EXPECT_EQ(text.find("'shoulder_yaw' 10, "), 0u) << text;
  EXPECT_NE(text.find("'elbow' 50, "), std::string::npos) << text;
}

TEST_F(StiffnessReportTest, IsEmptyInModesWithoutSprings) {
  config.torque_mode = TorqueMode::kComputedTorque;
  EXPECT_EQ(stiffness_text(robot, config), "");
  config.torque_mode = TorqueMode::kHandGuiding;
  EXPECT_EQ(stiffness_text(robot, config), "");
  config.hand_guiding.locked_joints = {"elbow"};
  robot.set_settings(config, robot.resolve(config));
  EXPECT_EQ(stiffness_text(robot, config), "10 for all joints");
}

TEST_F(StiffnessReportTest, StiffnessOfAMessageIsComparedWithTheStableRange) {
  EXPECT_EQ(report.gain_warning(robot, config), "");
  command("elbow", 1e5);
  const std::string warning = report.gain_warning(robot, config);
  EXPECT_NE(warning.find("the damping of joint 'elbow' is up to "), std::string::npos) << warning;
  EXPECT_EQ(report.gain_warning(robot, config), warning);
  command("elbow", 20.0);
  EXPECT_EQ(report.gain_warning(robot, config), "");
  config.torque_mode = TorqueMode::kComputedTorque;
  command("elbow", 1e5);
  EXPECT_EQ(report.gain_warning(robot, config), "") << "no springs";
}

/// The loop changes the payloads of its model: gains are compared with the model as loaded, which
/// no thread changes.
TEST_F(StiffnessReportTest, PayloadsOfMessagesDoNotAffectTheStableRange) {
  config.damping = {1.0};
  const std::string before = robot.resolve(config).gain_warning;
  ASSERT_NE(before, "");
  const std::string hand = robot.model.link(robot.model.link_count() - 1).name;
  ASSERT_EQ(robot.inbox.on_payload({hand, 20.0, {0, 0, 0.5}, Matrix3::Zero()}),
            RejectionReason::kNone);
  ControlOutput out = robot.controller.make_output();
  const Settings settings{config, robot.resolve(config)};
  for (int i = 1; i <= 3; ++i) {
    robot.inbox.update();
    robot.controller.step(i * kNanosecondsPerSecond, robot.inbox.inputs(settings, true), out);
  }
  ASSERT_EQ(robot.controller.model().payload(robot.model.link_count() - 1).mass, 20.0);
  EXPECT_EQ(robot.resolve(config).gain_warning, before);
}

}  // namespace
}  // namespace spatial_dynamics::test
