// Which fault explains a log.
#include "identification/log_faults.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

std::string fault_of(const RobotLog& log) {
  const Model model = arm7();
  const LogSamples samples = make_samples(log, 0.0);
  return log_fault(model, samples, compare_log(model, samples));
}
bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}
/// The log at a hundredth of its speed: velocities and accelerations without effect.
RobotLog slow(const Model& robot) {
  RobotLog log = record(robot, robot);
  for (double& t : log.time) t *= 100.0;
  log.v *= 0.01;
  textbook::Data data(robot);
  for (Index i = 0; i < log.size(); ++i) {
    log.effort.col(i) = gravity_torque(robot, data, VectorXd(log.q.col(i)));
  }
  return log;
}

TEST(LogFaults, AGripperOnACeilingIsNoOppositeSign) {
  Model arm = arm7_with(0.3, Vector3(0, 0, 0.1));
  arm.set_gravity(Vector3(0, 0, 9.80665));
  RobotLog log = record(arm, arm, noisy_sensors(1));
  for (Index k = 0; k < log.v.rows(); ++k) {
    log.effort.row(k) += (2.0 * (log.v.row(k).array() / 1e-2).tanh()).matrix();
  }
  const std::string fault = fault_of(log);
  EXPECT_TRUE(has(fault, "with a payload or friction")) << fault;
  EXPECT_TRUE(has(fault, "give --gravity 0,0,9.81.")) << fault;
}

/// Without accelerations, a ceiling and opposite signs are the same.
TEST(LogFaults, SlowMotionsOfOppositeSignMayBeACeiling) {
  RobotLog log = slow(arm7());
  log.effort *= -1.0;
  EXPECT_TRUE(has(fault_of(log), "--gravity 0,0,9.81")) << fault_of(log);
}

TEST(LogFaults, OneJointOfOppositeSignIsNoCeiling) {
  RobotLog log = record(arm7(), arm7(), noisy_sensors(1));
  log.effort.row(3) *= -1.0;
  const std::string fault = fault_of(log);
  EXPECT_TRUE(has(fault, "efforts of 'elbow' have the opposite sign")) << fault;
  EXPECT_FALSE(has(fault, "ceiling")) << fault;
}

TEST(LogFaults, NamesTheJointsWhoseEffortsAreInAnotherUnit) {
  for (const Index k : {1, 3}) {
    RobotLog log = record(arm7(), arm7(), noisy_sensors(1));
    log.effort.row(k) *= 1000.0;
    const std::string fault = fault_of(log);
    EXPECT_TRUE(has(fault, "efforts of '" + arm7().joint_names()[to_size(k)] + "' are ")) << fault;
    EXPECT_TRUE(has(fault, "such as mN m?")) << fault;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
