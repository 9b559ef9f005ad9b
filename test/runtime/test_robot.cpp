// A robot as the node has it.
#include "runtime/robot.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace spatial_dynamics::test
