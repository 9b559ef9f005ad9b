#include "control/output_guard.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spatial_dynamics::test {
namespace {

/// Two joints with an effort limit of 10 N m, at 1 kHz, with a ramp of 10 ms.
class OutputGuardTest : public ::testing::Test {
 protected:
  OutputGuardTest() {
    joints.effort_limit = VectorXd::Constant(2, 10.0);
    joints.torque_rate_limit = VectorXd::Constant(2, kUnlimited);
    joints.rate_is_default.assign(2, 0);
    joints.braking_speed = VectorXd::Constant(2, 0.1);
  }
  VectorXd send(double first, double second) {
    const VectorXd wanted = Eigen::Vector2d(first, second);
    faults = guard.limit(joints, wanted, {1e-3, 0.1, ramps_down, velocity});
    return guard.sent();
  }

  JointSettings joints;
  OutputGuard guard{2};
  VectorXd velocity = VectorXd::Zero(2);
  bool ramps_down = false;
  Faults faults = 0;
};

TEST_F(OutputGuardTest, PassesTorqueWithinLimits) {
  EXPECT_EQ(send(3.0, -10.0), VectorXd(Eigen::Vector2d(3.0, -10.0)));
  EXPECT_EQ(faults, 0u);
  EXPECT_FALSE(guard.at_zero());
}

TEST_F(OutputGuardTest, CutsTorqueToEffortLimit) {
  EXPECT_EQ(send(30.0, -30.0), VectorXd(Eigen::Vector2d(10.0, -10.0)));
  EXPECT_TRUE(has(faults, Fault::kSaturated));
}

TEST_F(OutputGuardTest, KeepsLastTorqueIfNotFinite) {
  send(3.0, 4.0);
  joints.effort_limit.setConstant(kInfinity);
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_EQ(send(bad, 5.0), VectorXd(Eigen::Vector2d(3.0, 5.0)));
    EXPECT_TRUE(has(faults, Fault::kNonFinite));
  }
}

TEST_F(OutputGuardTest, CutsChangeToGivenRateLimit) {
  joints.torque_rate_limit.setConstant(1000.0);  // 1 N m per cycle
  EXPECT_EQ(send(5.0, -5.0), VectorXd(Eigen::Vector2d(1.0, -1.0)));
  EXPECT_TRUE(has(faults, Fault::kRateLimited));
  EXPECT_EQ(send(1.5, -2.5), VectorXd(Eigen::Vector2d(1.5, -2.0)));
}

TEST_F(OutputGuardTest, LoweredEffortLimitAppliesAtOnce) {
  joints.torque_rate_limit.setConstant(20e3);
  send(9.0, 9.0);
  joints.torque_rate_limit.setConstant(1.0);
  joints.effort_limit.setConstant(2.0);
  EXPECT_EQ(send(9.0, 9.0), VectorXd(Eigen::Vector2d(2.0, 2.0)));
}

TEST_F(OutputGuardTest, DefaultRateLimitExemptsFirstBrakingAndDecreasingTorques) {
  joints.torque_rate_limit.setConstant(1000.0);
  joints.rate_is_default.assign(2, 1);
  guard.expect_first_torque(true);
  EXPECT_EQ(send(8.0, 8.0), VectorXd(Eigen::Vector2d(8.0, 8.0)));
  EXPECT_EQ(send(5.0, 5.0), VectorXd(Eigen::Vector2d(7.0, 7.0))) << "the second torque is limited";
  velocity(0) = 1.0;
  EXPECT_EQ(send(-5.0, -5.0), VectorXd(Eigen::Vector2d(-5.0, 6.0))) << "the first joint brakes";
  velocity(0) = 0.05;
  EXPECT_EQ(send(-9.0, 6.0), VectorXd(Eigen::Vector2d(-6.0, 6.0))) << "too slow to brake";
  ramps_down = true;
  EXPECT_EQ(send(-1.0, 0.0), VectorXd(Eigen::Vector2d(-1.0, 0.0)));
  joints.rate_is_default.assign(2, 0);
  EXPECT_EQ(send(9.0, 9.0), VectorXd(Eigen::Vector2d(0.0, 1.0))) << "a given limit always applies";
}

TEST_F(OutputGuardTest, CrossfadeStartsAtLastTorque) {
  send(4.0, 0.0);
  guard.begin_crossfade();
  for (int i = 1; i <= 10; ++i) {
    send(-4.0, 10.0);
    EXPECT_NEAR(guard.sent()(0), 4.0 - 0.8 * i, 1e-12);
    EXPECT_NEAR(guard.sent()(1), 1.0 * i, 1e-12);
  }
  EXPECT_NEAR(guard.crossfade().progress(), 1.0, 1e-12);
}

TEST_F(OutputGuardTest, RaisedLimitStartsCrossfadeIfItApplied) {
  joints.effort_limit.setConstant(2.0);
  send(8.0, 1.0);
  joints.effort_limit.setConstant(10.0);
  const VectorXd next = send(8.0, 1.0);
  EXPECT_NEAR(next(0), 2.6, 1e-12) << "a tenth of the crossfade";
}

TEST_F(OutputGuardTest, ResetClearsLastTorque) {
  send(4.0, 4.0);
  guard.reset();
  EXPECT_TRUE(guard.at_zero());
}

}  // namespace
}  // namespace spatial_dynamics::test
