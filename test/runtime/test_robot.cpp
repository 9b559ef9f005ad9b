// A robot as the node has it.
#include "runtime/robot.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Robot, NamesItsCoordinatesAsMessagesDo) {
  const Config config;
  const Robot robot(load_urdf_file(shipped_urdf("gantry")), ModelReport{}, config);
  ASSERT_EQ(robot.names.size(), robot.controller.coordinates().size());
  EXPECT_EQ(robot.names[0], "stage/x");
  EXPECT_EQ(robot.names[2], "stage/theta");
}

TEST(Robot, NewSettingsReachBothThreads) {
  Config config;
  Robot robot(load_urdf_file(shipped_urdf("double_pendulum")), ModelReport{}, config);
  const auto before = robot.joints();
  config.kp = {7.0};
  robot.set_settings(config, resolve_joint_settings(config, robot.controller.model()));
  EXPECT_EQ(robot.joints()->kp, VectorXd::Constant(2, 7.0));
  ASSERT_TRUE(robot.settings.update());
  EXPECT_EQ(robot.settings.read().joints.kp, VectorXd::Constant(2, 7.0));
  EXPECT_EQ(before->kp,
            VectorXd::Constant(2, 100.0));  // a thread that reads the old ones may go on
}

std::shared_ptr<Robot> robot_of(const std::string& name) {
  return std::make_shared<Robot>(load_urdf_file(shipped_urdf(name)), ModelReport{}, Config{});
}

void set_gravity(Robot& robot, double z) {
  ASSERT_EQ(robot.inbox.on_gravity({"", {0.0, 0.0, z}, 1}), RejectionReason::kNone);
}

double gravity_of(const Robot& robot) { return robot.inbox.world().gravity.vector.z(); }

TEST(Robot, CopiesTheInputsOfTheNewestRobotWithTheSameJoints) {
  const auto first = robot_of("double_pendulum"), second = robot_of("double_pendulum"),
             other = robot_of("arm7");
  set_gravity(*first, -1.0);
  set_gravity(*second, -2.0);
  set_gravity(*other, -3.0);
  const auto robot = robot_of("double_pendulum");
  EXPECT_TRUE(robot->copy_inputs({first, second, other}).empty());
  EXPECT_EQ(gravity_of(*robot), -2.0);
}

TEST(Robot, CopiesTheWorldOfTheNewestRobotWithOtherJoints) {
  const auto first = robot_of("arm6"), second = robot_of("arm7");
  set_gravity(*first, -1.0);
  set_gravity(*second, -2.0);
  const auto robot = robot_of("double_pendulum");
  EXPECT_TRUE(robot->copy_inputs({first, second}).empty());
  EXPECT_EQ(gravity_of(*robot), -2.0);
  EXPECT_TRUE(robot_of("double_pendulum")->copy_inputs({}).empty());
}

}  // namespace
}  // namespace spatial_dynamics::test
