// Changes of settings, inputs and robot while torques are sent: the torque does not step, and after
// the ramp it equals the torque of a controller that had the new values from the start.
#include <cmath>

#include "control/controller_harness.hpp"

namespace spatial_dynamics::test {
namespace {

/// An arm with a velocity and a position error, so that no term of the torque is zero.
class RampedChangeTest : public TorqueControllerTest {
 protected:
  static constexpr int kRamp = 302;  // cycles until feedback is ramped in after an activation
  RampedChangeTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    settings.config.effort_limits = {1000.0};
    settings.config.allow_effort_above_urdf = true;
    resolve();
    states.v = VectorXd::Constant(7, 0.4);
    cycle();  // activation
    repeat(kRamp, [&] { follow(); });
  }
  /// One cycle with fresh references and wrenches, unless a test switches them off.
  void follow() {
    now += kMillisecond;
    see_states();
    for (LinkWrench& wrench : wrenches.links) wrench.received = wrenches_come ? now : 1;
    if (references_come) {
      set_reference(states.q + VectorXd::Constant(7, 0.05), VectorXd::Constant(7, -0.3),
                    VectorXd::Constant(7, 1.5));
      for (JointReference& r : references.joints) set_effort(r, 2.0);
    }
    step();
  }
  /// Applies a change and expects the torque to reach its new value within `ramps` ramps of 0.3 s,
  /// without a step. The state does not change, so nothing else changes the torque.
  template <typename Change>
  void expect_a_ramp(const Change& change, double ramps = 1.0) {
    const VectorXd before = out.torque;
    VectorXd last = before;
    double largest_step = 0.0;
    change();
    for (int i = 0; i < static_cast<int>(300 * ramps) + 2; ++i) {
      follow();
      largest_step = std::max(largest_step, (out.torque - last).cwiseAbs().maxCoeff());
      last = out.torque;
    }
    const double whole = (last - before).cwiseAbs().maxCoeff();
    EXPECT_GT(whole, 0.1) << "the torque did not change";
    EXPECT_LE(largest_step, 3.0 * whole / (300 * ramps));
    follow();
    EXPECT_LE((out.torque - last).cwiseAbs().maxCoeff(), 1e-9) << "the ramp has not ended";
  }
  /// The torque of a controller that had the present settings from the start.
  VectorXd settled_torque() {
    TorqueController fresh(model);
    ControlOutput result = fresh.make_output();
    const std::int64_t before = now;
    const References kept = references;
    for (int i = 0; i < kRamp; ++i) {
      now += kMillisecond;
      see_states();
      for (JointReference& r : references.joints) {
        r.generation += i > 0 ? 1 : 0;  // activation discards earlier references
        r.received = references_come ? now : 0;
      }
      fresh.step(now, view(), result);
    }
    references = kept;
    now = before;
    return result.torque;
  }
  void expect_settled() {
    const VectorXd torque = out.torque;
    EXPECT_LE((settled_torque() - torque).cwiseAbs().maxCoeff(), 1e-9);
  }

  bool references_come = true, wrenches_come = true;
};

TEST_F(RampedChangeTest, Gains) {
  expect_a_ramp([&] {
    settings.config.kp = {900.0};
    settings.config.kd = {5.0};
    resolve();
  });
  expect_settled();
}

TEST_F(RampedChangeTest, FeedbackStaysActiveWhileGainsRamp) {
  settings.config.kp = {200.0};
  resolve();
  repeat(150, [&] { follow(); });
  const VectorXd before = out.torque;
  states.q(3) += 0.01;
  follow();
  EXPECT_GT((out.torque - before).norm(), 0.1);
}

TEST_F(RampedChangeTest, FrictionCompensation) {
  expect_a_ramp([&] { settings.config.friction_compensation = false; });
  expect_settled();
  expect_a_ramp([&] { settings.config.friction_compensation = true; });
  expect_settled();
}

TEST_F(RampedChangeTest, CompensationByHardware) {
  expect_a_ramp([&] {
    settings.config.compensated_by_hardware.gravity = true;
    settings.config.compensated_by_hardware.coriolis = true;
    settings.config.compensated_by_hardware.friction = true;
  });
  expect_settled();
}

TEST_F(RampedChangeTest, GravityFromTopic) {
  // From a mount on the floor to a mount on the ceiling: gravity changes by twice the limit per
  // ramp.
  expect_a_ramp([&] { gravity = {-kStandardGravity, 1}; }, 2.0);
  expect_settled();
}

TEST_F(RampedChangeTest, GravityFromParameter) {
  expect_a_ramp([&] { settings.config.gravity = Vector3(0.0, 0.0, -1.0); });
  expect_settled();
}

TEST_F(RampedChangeTest, GravityOfMovingMountHasNoLag) {
  for (int i = 1; i <= 200; ++i) {  // a tilt of 1 rad/s, sent every ten cycles
    if (i % 10 == 0) {
      const double angle = 1e-3 * i;
      gravity.vector = -9.8 * Vector3(std::sin(angle), 0.0, std::cos(angle));
      ++gravity.generation;
    }
    follow();
  }
  repeat(9, [&] { follow(); });  // gravity has reached the last message before the next one
  expect_settled();
}

TEST_F(RampedChangeTest, RemovedWrench) {
  wrenches.links = {{model.link_count() - 1, Force(Vector3(1, 2, 3), Vector3(30, 20, 10)), now}};
  repeat(kRamp, [&] { follow(); });
  expect_a_ramp([&] { wrenches.links.clear(); });
  expect_settled();
}

TEST_F(RampedChangeTest, StartAndTimeoutOfWrench) {
  wrenches.links = {{model.link_count() - 1, Force(Vector3(1, 2, 3), Vector3(30, 20, 10)), now}};
  expect_a_ramp([&] {});
  expect_settled();
  EXPECT_FALSE(has(out.faults, Fault::kStaleWrench));
  expect_a_ramp([&] { wrenches_come = false; });
  EXPECT_TRUE(has(out.faults, Fault::kStaleWrench));
  wrenches.links[0].wrench = Force::Zero();  // a wrench of zero is not stale
  follow();
  EXPECT_FALSE(has(out.faults, Fault::kStaleWrench));
}

TEST_F(RampedChangeTest, TimeoutOfSetpoint) {
  references_come = false;
  repeat(500, [&] { follow(); });
  EXPECT_FALSE(has(out.faults, Fault::kStaleReference));
  expect_a_ramp([&] {});
  EXPECT_TRUE(has(out.faults, Fault::kStaleReference));
}

TEST_F(RampedChangeTest, ChangeOfRampTimeDuringRamps) {
  references_come = false;
  settings.config.ramp_s = 10.0;
  repeat(600, [&] { follow(); });  // the setpoint times out; a hundredth of the ramp passes
  ASSERT_TRUE(has(out.faults, Fault::kStaleReference));
  payloads = {1,
              {{model.link_count() - 1, Inertia::from_com(2.0, {0, 0, 0.1}, Matrix3::Identity())}}};
  repeat(100, [&] { follow(); });
  expect_a_ramp([&] { settings.config.ramp_s = 0.3; });
}

TEST_F(RampedChangeTest, RaisedEffortLimit) {
  settings.config.effort_limits = {3.0};
  resolve();
  repeat(2, [&] { follow(); });
  ASSERT_TRUE(has(out.faults, Fault::kSaturated));
  expect_a_ramp([&] {
    settings.config.effort_limits = {1000.0};
    resolve();
  });
  expect_settled();
}

TEST_F(RampedChangeTest, RemovedRateLimit) {
  settings.config.torque_rate_limit = {0.01};
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  resolve();
  repeat(400, [&] { follow(); });
  ASSERT_TRUE(has(out.faults, Fault::kRateLimited));
  expect_a_ramp([&] {
    settings.config.torque_rate_limit = {};
    resolve();
  });
  expect_settled();
}

TEST_F(RampedChangeTest, ChangeOfFallbackDuringFallback) {
  states.v.setZero();
  settings.config.fallback = Fallback::kGravityOnly;
  settings.config.gravity_only_s = 100.0;
  const auto silent = [&] {
    now += kMillisecond;
    step();
  };
  repeat(500, silent);
  ASSERT_EQ(out.phase, Phase::kFallback);
  const VectorXd held = gravity_torque(model, data, states.q);
  ASSERT_LE((out.torque - held).norm(), 1e-9);
  VectorXd last = out.torque;
  const double largest = held.cwiseAbs().maxCoeff() / 290.0;
  for (const Fallback other : {Fallback::kZero, Fallback::kGravityOnly, Fallback::kStop}) {
    settings.config.fallback = other;
    for (int i = 0; i < 302; ++i) {
      silent();
      if (!out.send_torque) break;
      ASSERT_LE((out.torque - last).cwiseAbs().maxCoeff(), largest);
      last = out.torque;
    }
    const VectorXd expected = other == Fallback::kGravityOnly ? held : VectorXd::Zero(7).eval();
    EXPECT_LE((last - expected).norm(), 1e-9);
  }
  EXPECT_EQ(out.phase, Phase::kStopped);
}

TEST_F(RampedChangeTest, ReplacementWithSameJoints) {
  LoadOptions options;
  options.payloads.push_back({model.link(model.link_count() - 1).name,
                              {3.0, Vector3(0, 0, 0.1), 0.01 * Matrix3::Identity()}});
  const Model heavier = load_urdf_file(shipped_urdf("arm7"), options);
  TorqueController next(heavier);
  next.continue_from(controller);
  const VectorXd before = out.torque;
  double largest_step = 0.0;
  for (int i = 0; i < 302; ++i) {
    const VectorXd last = out.torque;
    follow();  // renews states and references
    next.step(now, view(), out);
    largest_step = std::max(largest_step, (out.torque - last).cwiseAbs().maxCoeff());
  }
  const double whole = (out.torque - before).cwiseAbs().maxCoeff();
  EXPECT_GT(whole, 1.0) << "the torque of the new robot must differ";
  EXPECT_LE(largest_step, 3.0 * whole / 300.0);
}

TEST_F(RampedChangeTest, ChangesApplyAtOnceWhileNothingIsSent) {
  active = false;
  repeat(310, [&] { follow(); });
  ASSERT_EQ(out.phase, Phase::kInactive);
  gravity = {Vector3(9.0, 0.0, 0.0), 1};
  settings.config.kp = {400.0};
  resolve();
  payloads = {1,
              {{model.link_count() - 1, Inertia::from_com(2.0, {0, 0, 0.1}, Matrix3::Identity())}}};
  follow();
  active = true;
  references_come = false;
  states.v.setZero();
  follow();
  model.set_gravity(gravity.vector);
  model.set_payload(model.link_count() - 1, payloads.links[0].inertia);
  EXPECT_LE((out.torque - gravity_torque(model, data, states.q)).norm(), 1e-9);
}

}  // namespace
}  // namespace spatial_dynamics::test
