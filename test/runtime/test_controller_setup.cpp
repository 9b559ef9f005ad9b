#include "runtime/controller_setup.hpp"

#include <gtest/gtest.h>

#include "runtime/parameters_table.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class ControllerSetupTest : public ::testing::Test {
 protected:
  [[nodiscard]] ControllerSetup setup(const char* robot = "arm7", double rate_hz = 500.0) const {
    return make_controller_setup(parameters, urdf_text(robot), rate_hz);
  }
  std::string rejection(const char* robot) const {
    try {
      (void)setup(robot);
    } catch (const ParameterError& error) {
      return error.what();
    }
    return {};
  }

  ParameterSet parameters{controller_parameter_table()};
};

TEST_F(ControllerSetupTest, EveryRowIsOfNodeExceptJointsAndHeldPosition) {
  std::vector<std::string> own;
  for (const ParameterDescription& row : controller_parameter_table()) {
    const ParameterDescription* const same = find_parameter(parameter_table(), row.name);
    if (same == nullptr) {
      own.push_back(row.name);
      continue;
    }
    EXPECT_EQ(row.help, same->help);
    EXPECT_EQ(row.live, same->live);
    EXPECT_EQ(row.default_value, same->default_value);
  }
  EXPECT_EQ(own, (std::vector<std::string>{"joints", "held_position"}));
}

TEST_F(ControllerSetupTest, ValuesReachCore) {
  parameters.set("torque_mode", std::string("computed_torque"));
  parameters.set("gains.kp", std::vector<double>{30.0});
  parameters.set("effort_limits.shoulder_pitch", 5.0);
  const ControllerSetup result = setup();
  EXPECT_EQ(result.parameters.get_text("torque_mode"), "computed_torque");
  EXPECT_EQ(result.parameters.get_numbers("gains.kp"), std::vector<double>{30.0});
  EXPECT_EQ(result.parameters.by_joint().at("effort_limits").at("shoulder_pitch"), 5.0);
  EXPECT_EQ(result.parameters.get_number("rate_hz"), 500.0);
  EXPECT_FALSE(result.parameters.get_bool("yield_to_active_node"));
}

TEST_F(ControllerSetupTest, OtherJointsHaveNoFeedback) {
  parameters.set("joints", std::vector<std::string>{"upper_arm_roll", "shoulder_yaw"});
  const ControllerSetup result = setup();
  EXPECT_EQ(result.parameters.get_texts("command_joints"),
            (std::vector<std::string>{"upper_arm_roll", "shoulder_yaw"}));
  const NumbersByJoint& kp = result.parameters.by_joint().at("gains.kp");
  EXPECT_EQ(kp.size(), 5u);
  EXPECT_EQ(kp.at("shoulder_pitch"), 0.0);
  EXPECT_EQ(kp.count("shoulder_yaw"), 0u);
  parameters.set("following_error_limit", std::vector<double>{0.05});
  const NumbersByJoint errors = setup().parameters.by_joint().at("following_error_limit");
  EXPECT_EQ(errors.at("elbow"), 0.0);
  EXPECT_EQ(errors.count("shoulder_yaw"), 0u);
}

TEST_F(ControllerSetupTest, HeldPositionsAreGivenByName) {
  parameters.set("held_position.shoulder_pitch", 0.5);
  const ControllerSetup result = setup();
  ASSERT_EQ(result.held_position.size(), 7u);
  EXPECT_EQ(result.held_position[0], 0.0);
  EXPECT_EQ(result.held_position[1], 0.5);
}

TEST_F(ControllerSetupTest, RejectsUnknownAndMimicJoints) {
  parameters.set("joints", std::vector<std::string>{"flange_mount"});
  EXPECT_NE(rejection("arm7").find("'flange_mount', which is not a moving joint"),
            std::string::npos);
  parameters.set("joints", std::vector<std::string>{"finger_right"});
  EXPECT_NE(rejection("gripper").find("which mimics"), std::string::npos) << rejection("gripper");
}

TEST_F(ControllerSetupTest, RejectsArraysIfJointsAreInAnotherOrder) {
  const std::vector<double> limits = {7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0};
  parameters.set("joints", std::vector<std::string>{"shoulder_pitch", "shoulder_yaw"});
  parameters.set("gains.kp", std::vector<double>(7, 30.0));
  EXPECT_EQ(rejection("arm7"), "");
  parameters.set("effort_limits", limits);
  EXPECT_NE(rejection("arm7").find("'effort_limits' is an array in the URDF's order"),
            std::string::npos);
  parameters.set("joints", std::vector<std::string>{"shoulder_yaw", "elbow"});
  EXPECT_EQ(rejection("arm7"), "");
}

TEST_F(ControllerSetupTest, ChangesAreCheckedTogether) {
  const ParameterSet changed = changed_controller(parameters, {{"ramp_s", 0.5}});
  EXPECT_EQ(changed.get_number("ramp_s"), 0.5);
  EXPECT_NE(parameters.get_number("ramp_s"), 0.5);
  // Each is valid alone, but computed_torque needs gains.
  EXPECT_THROW((void)changed_controller(parameters, {{"mode", std::string("computed_torque")},
                                                     {"gains.kp", std::vector<double>{0.0}},
                                                     {"gains.kd", std::vector<double>{0.0}}}),
               ParameterError);
}

TEST_F(ControllerSetupTest, ChangesOfOwnRowsDoNotReachCore) {
  const ParameterChanges changes = core_changes({{"gains.kp", std::vector<double>{1.0}},
                                                 {"gains.kp.shoulder_yaw", 2.0},
                                                 {"joints", std::vector<std::string>{}},
                                                 {"held_position.shoulder_yaw", 0.1}});
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].first, "gains.kp");
  EXPECT_EQ(changes[1].first, "gains.kp.shoulder_yaw");
}

}  // namespace
}  // namespace spatial_dynamics::test
