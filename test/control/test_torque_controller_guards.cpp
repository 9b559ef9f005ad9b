// Following error, default rate limit, and states without measured efforts.
#include <cmath>

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

bool within(const VectorXd& a, const VectorXd& b, double tolerance = 1e-9) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance;
}
double largest(const VectorXd& v) { return v.cwiseAbs().maxCoeff(); }

// ---- the default rate limit ---------------------------------------------------------------------

class DefaultRateTest : public TorqueControllerTest {
 protected:
  DefaultRateTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    settings.config.ramp_s = 0.01;
    settings.config.kp = {1e5};
    settings.config.kd = {0.0};
    resolve();
    states.v.setZero();
  }
  /// Expects that no torque changed by more than the default rate limit allows per cycle.
  void expect_within_rate(const VectorXd& before) const {
    for (Index k = 0; k < 7; ++k) {
      EXPECT_LE(std::abs(out.torque(k) - before(k)),
                settings.joints.effort_limit(k) / 20.0 * (1.0 + 1e-9));
    }
  }
};

/// The default limit has exceptions, a given limit has none: without a crossfade the torque would
/// step when the given limit is removed.
TEST_F(DefaultRateTest, RemovedLimitDoesNotStepTorqueDuringRampToZero) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  settings.config.torque_rate_limit = {20.0};
  settings.config.ramp_s = 0.1;
  states.q = VectorXd::Constant(7, 0.8);
  resolve();
  repeat(5000, [&] { cycle(); });
  active = false;
  repeat(150, [&] { cycle(); });  // longer than the ramp, which the limit slows down
  VectorXd before = out.torque;
  const double held = before.cwiseAbs().maxCoeff();
  ASSERT_GT(held, 5.0);
  settings.config.torque_rate_limit = {};
  resolve();
  repeat(99, [&] {
    cycle();
    EXPECT_LE((out.torque - before).cwiseAbs().maxCoeff(), held / 99.0);
    before = out.torque;
  });
}

TEST_F(DefaultRateTest, FirstTorqueAfterActivationIsWhole) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  states.q = VectorXd::Constant(7, 0.8);
  const VectorXd weight = gravity_torque(model, data, states.q);
  ASSERT_GT((weight.array().abs() / settings.joints.effort_limit.array()).maxCoeff(), 0.1)
      << "more than the rate limit permits in two cycles";
  cycle();
  EXPECT_TRUE(within(out.torque, weight));
  EXPECT_FALSE(has(out.faults, Fault::kRateLimited));
}

TEST_F(DefaultRateTest, StepOfErrorReachesEffortLimitIn20Milliseconds) {
  repeat(30, [&] { cycle(); });
  states.q += VectorXd::Constant(7, 0.3);
  VectorXd before = out.torque;
  bool flagged = false;
  for (int i = 0; i < 45; ++i) {
    cycle();
    expect_within_rate(before);
    flagged = flagged || has(out.faults, Fault::kRateLimited);
    before = out.torque;
  }
  EXPECT_TRUE(flagged);
  EXPECT_EQ(std::abs(out.torque(0)), settings.joints.effort_limit(0));
  EXPECT_FALSE(has(out.faults, Fault::kRateLimited)) << "the torque has reached its limit";
}

TEST_F(DefaultRateTest, BrakingIsExempt) {
  repeat(30, [&] { cycle(); });
  const VectorXd before = out.torque;
  states.v(0) = 0.5;  // the joint moves away from the reference
  states.q(0) += 0.3;
  cycle();
  EXPECT_GT(std::abs(out.torque(0) - before(0)), settings.joints.effort_limit(0) / 20.0 * 1.5);
  EXPECT_LT(out.torque(0) * states.v(0), 0.0);
}

TEST_F(DefaultRateTest, MotionBelowBrakingSpeedIsNotExempt) {
  repeat(30, [&] { cycle(); });
  const VectorXd before = out.torque;
  states.v(0) = 0.5 * settings.joints.braking_speed(0);
  states.q(0) += 0.3;
  cycle();
  expect_within_rate(before);
  EXPECT_TRUE(has(out.faults, Fault::kRateLimited));
}

TEST_F(DefaultRateTest, RampsToZeroWithinRampTime) {
  repeat(30, [&] { cycle(); });
  states.q += VectorXd::Constant(7, 0.3);
  repeat(45, [&] { cycle(); });
  ASSERT_EQ(std::abs(out.torque(0)), settings.joints.effort_limit(0));
  active = false;
  repeat(11, [&] { cycle(); });  // ramp_s, and the cycle in which the ramp begins
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(DefaultRateTest, GivenLimitHasNoExemption) {
  settings.config.torque_rate_limit = {100.0};
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  resolve();
  states.q = VectorXd::Constant(7, 0.8);
  cycle();
  EXPECT_LE(largest(out.torque), 0.1 + 1e-12);
  EXPECT_TRUE(has(out.faults, Fault::kRateLimited));
}

TEST_F(DefaultRateTest, ZeroMeansNoLimit) {
  settings.config.torque_rate_limit = {0.0};
  resolve();
  repeat(30, [&] { cycle(); });
  states.q += VectorXd::Constant(7, 0.3);
  cycle();
  EXPECT_EQ(std::abs(out.torque(0)), settings.joints.effort_limit(0));
  EXPECT_FALSE(has(out.faults, Fault::kRateLimited));
}

// ---- following error ----------------------------------------------------------------------------

class FollowingErrorTest : public TorqueControllerTest {
 protected:
  FollowingErrorTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    settings.config.following_error_limit = {0.2};
    settings.config.torque_rate_limit = {0.0};
    resolve();
    cycle();
    repeat(310, [&] { cycle(); });
  }
  void refer(double offset) {
    set_reference(states.q + VectorXd::Constant(7, offset), VectorXd::Zero(7), VectorXd::Zero(7));
  }
  [[nodiscard]] bool held() const { return has(out.faults, Fault::kFollowingError); }
};

TEST_F(FollowingErrorTest, FollowsErrorWithinLimit) {
  refer(0.15);
  cycle();
  EXPECT_FALSE(held());
  EXPECT_NEAR(out.position_error(3), 0.15, 1e-12);
}

TEST_F(FollowingErrorTest, ErrorBeyondLimitHoldsPresentPosition) {
  refer(0.1);
  repeat(2, [&] { cycle(); });
  const VectorXd before = out.torque;
  states.q(3) -= 0.15;  // pushed away
  cycle();
  EXPECT_TRUE(held());
  EXPECT_TRUE(out.position_error.isZero(1e-12));
  EXPECT_LT(largest(out.torque - before), largest(before) / 50.0) << "a ramp, not a step";
  repeat(400, [&] { cycle(); });
  EXPECT_TRUE(held()) << "must hold until a new reference arrives";
  EXPECT_TRUE(within(out.torque, gravity_torque(model, data, states.q), 1e-6));
}

TEST_F(FollowingErrorTest, DoesNotStepTorqueWhileFarReferencesArrive) {
  VectorXd before = out.torque;
  for (int i = 0; i < 500; ++i) {
    refer(0.5);
    cycle();
    EXPECT_TRUE(held());
    EXPECT_LT(largest(out.torque - before), 0.05);
    before = out.torque;
  }
  EXPECT_TRUE(out.position_error.isZero(1e-12)) << "the first position is held, not a later one";
}

TEST_F(FollowingErrorTest, HoldsAgainstPushWithoutReference) {
  refer(0.5);
  cycle();
  ASSERT_TRUE(held());
  states.q(3) += 0.5;
  repeat(400, [&] { cycle(); });
  EXPECT_NEAR(out.position_error(3), -0.5, 1e-12);
}

TEST_F(FollowingErrorTest, FollowsNextReference) {
  refer(0.5);
  cycle();
  ASSERT_TRUE(held());
  refer(0.01);
  cycle();
  EXPECT_FALSE(held());
  EXPECT_NEAR(out.position_error(0), 0.01, 1e-12);
}

TEST_F(FollowingErrorTest, IsOffByDefaultAndInOtherModes) {
  refer(0.5);
  settings.config.torque_mode = TorqueMode::kInverseDynamics;
  cycle();
  EXPECT_FALSE(held());
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  settings.config.following_error_limit = {};
  resolve();
  repeat(2, [&] { cycle(); });
  refer(0.5);
  cycle();
  EXPECT_FALSE(held());
}

// ---- efforts that are not measured --------------------------------------------------------------

class NoEffortTest : public TorqueControllerTest {
 protected:
  NoEffortTest() {
    settings.config.torque_mode = TorqueMode::kGravityCompensation;
    settings.config.compute.external_torque = true;
    resolve();
    states.v.setZero();
    weight = gravity_torque(model, data, states.q);
  }
  void measure(bool known) {
    std::fill(states.has_effort.begin(), states.has_effort.end(), known ? 1 : 0);
    states.effort = known ? weight : VectorXd::Zero(7);
  }
  VectorXd weight;
};

TEST_F(NoEffortTest, MissingEffortIsFaultAndSendsNoAcceleration) {
  settings.config.effort_source = EffortSource::kMeasured;
  repeat(300, [&] { cycle(); });
  EXPECT_TRUE(has(out.faults, Fault::kNoEffort));
  EXPECT_FALSE(out.send_external_torque);
  EXPECT_FALSE(out.send_acceleration);
  EXPECT_TRUE(out.send_torque) << "torques do not need efforts";
}

TEST_F(NoEffortTest, OneJointWithoutEffortIsFault) {
  settings.config.effort_source = EffortSource::kMeasured;
  measure(true);
  cycle();
  EXPECT_FALSE(has(out.faults, Fault::kNoEffort));
  states.has_effort[4] = 0;
  cycle();
  EXPECT_TRUE(has(out.faults, Fault::kNoEffort));
  EXPECT_FALSE(out.send_external_torque);
}

TEST_F(NoEffortTest, ObserverRestartsWhenEffortsReturn) {
  settings.config.effort_source = EffortSource::kMeasured;
  for (int round = 0; round < 3; ++round) {
    measure(true);
    for (int i = 0; i < 50; ++i) {
      cycle();
      ASSERT_TRUE(out.send_external_torque);
      EXPECT_LT(largest(out.external_torque), 1e-9);
    }
    measure(false);
    repeat(50, [&] { cycle(); });
    EXPECT_FALSE(out.send_external_torque);
  }
}

TEST_F(NoEffortTest, ObserverRestartsWhenSourceOfAutoChanges) {
  // The hardware measures a push of 3 N m that is not in the sent torque.
  measure(true);
  states.effort(1) -= 3.0;
  repeat(300, [&] { cycle(); });
  EXPECT_NEAR(out.external_torque(1), 3.0, 1e-3);
  measure(false);
  cycle();
  EXPECT_FALSE(out.effort_was_measured);
  EXPECT_LT(largest(out.external_torque), 1e-9)
      << "the observer must restart without the measured effort";
}

TEST_F(NoEffortTest, OtherSourcesNeedNoMeasuredEffort) {
  for (const EffortSource source : {EffortSource::kAuto, EffortSource::kOwn}) {
    settings.config.effort_source = source;
    cycle();
    EXPECT_FALSE(has(out.faults, Fault::kNoEffort));
    EXPECT_TRUE(out.send_external_torque);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
