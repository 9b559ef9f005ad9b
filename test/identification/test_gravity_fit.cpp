// The gravity of a log whose robot is mounted differently than its model.
#include <gtest/gtest.h>

#include "identification/gravity_fit.hpp"
#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

GravityFit fit_of(const Model& model, const RobotLog& log) {
  const LogSamples samples = make_samples(log, 0.0);
  return fit_gravity(model, samples, compare_log(model, samples));
}

TEST(GravityFit, FindsTheGravityOfAnInclinedMount) {
  const Vector3 gravity = 9.80665 * Vector3(0.6, -0.48, 0.64);
  Model arm = arm7();
  arm.set_gravity(gravity);
  const GravityFit fit = fit_of(arm7(), record(arm, arm));
  EXPECT_LT((fit.gravity - gravity).norm(), 0.05) << fit.gravity.transpose();
  EXPECT_GT(fit.explained, 0.99);
  EXPECT_NE(mount_hint(arm7(), fit), "");
}

TEST(GravityFit, KeepsDirectionsThatTheMotionDoesNotDetermine) {
  Model robot = pendulum();  // about y
  robot.set_gravity(Vector3(9.80665, 0.0, 0.0));
  Model model = pendulum();
  model.set_gravity(Vector3(0.0, 1.0, -9.0));
  const GravityFit fit = fit_of(model, swing(robot));
  EXPECT_LT((fit.gravity - Vector3(9.80665, 1.0, 0.0)).norm(), 0.05) << fit.gravity.transpose();
}

TEST(GravityFit, PayloadsAreNoMount) {
  const Model loaded = arm7_with(3.0, Vector3(0.1, 0, 0.06));
  EXPECT_EQ(mount_hint(arm7(), fit_of(arm7(), record(loaded, arm7()))), "");
}

TEST(GravityFit, HintNeedsAnotherDirectionOfTheSameMagnitude) {
  const Model model = arm7();
  const Vector3 wall(9.80665, 0.0, 0.0);
  EXPECT_NE(mount_hint(model, {wall, 0.95}).find("give --gravity 9.81,0,0."), std::string::npos);
  EXPECT_EQ(mount_hint(model, {wall, 0.85}), "");
  EXPECT_EQ(mount_hint(model, {0.9 * wall, 0.95}), "") << "weaker";
  EXPECT_EQ(mount_hint(model, {model.gravity() + Vector3(1.0, 0.0, 0.0), 0.95}), "") << "6 degrees";
  EXPECT_EQ(mount_hint(model, {Vector3::Zero(), 1.0}), "") << "compensated by the hardware";
}

}  // namespace
}  // namespace spatial_dynamics::test
