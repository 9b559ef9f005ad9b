// Whatever changes while torques are sent, none of them steps, and in the end each is what it would have been from the start.
#include <cmath>

#include "runtime/engine_harness.hpp"

namespace spatial_dynamics::test {
namespace {

/// An arm that moves a little and is off its reference, so that every term of the torque is at work.
class GlideTest : public EngineTest {
 protected:
  static constexpr int kRamp = 302;  // cycles until feedback has grown after an activation
  GlideTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    settings.config.effort_limits = {1000.0};
    resolve();
    states.v = VectorXd::Constant(7, 0.4);
    cycle();  // activation
    repeat(kRamp, [&] { follow(); });
  }
  /// References are kept fresh unless a test wants otherwise.
  void follow() {
    now += kMillisecond;
    see_states();
    for (LinkWrench& wrench : wrenches.links) wrench.received = wrenches_come ? now : 1;
    if (references_come) {
      set_reference(states.q + VectorXd::Constant(7, 0.05), VectorXd::Constant(7, -0.3),
                    VectorXd::Constant(7, 1.5));
      for (JointReference& r : references.joints) r.knots[0].effort = 2.0;
    }
    step();
  }
  /// Applies a change, and sees the torque go from what it is to what it shall be in `ramps` ramps of 0.3 s, without a step. The
  /// state stands still, so that nothing else moves the torque.
  template <typename Change>
  void expect_a_glide(const Change& change, double ramps = 1.0) {
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
    EXPECT_GT(whole, 0.1) << "nothing has changed";
    EXPECT_LE(largest_step, 3.0 * whole / (300 * ramps));
    follow();
    EXPECT_LE((out.torque - last).cwiseAbs().maxCoeff(), 1e-9) << "it still moves";
  }
  /// The torque of an engine that has known the present settings from the start.
  VectorXd settled_torque() {
    Engine fresh(model);
    EngineOutputs result = fresh.make_outputs();
    const std::int64_t before = now;
    const References kept = references;
    for (int i = 0; i < kRamp; ++i) {
      now += kMillisecond;
      see_states();
      for (JointReference& r : references.joints) {
        r.generation += i > 0 ? 1 : 0;  // activation forgets what came before
        r.received = references_come ? now : 0;
      }
      fresh.step(now, {settings, states, references, effort_command, wrenches, payloads, gravity},
                 result);
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

TEST_F(GlideTest, Gains) {
  expect_a_glide([&] {
    settings.config.kp = {900.0};
    settings.config.kd = {5.0};
    resolve();
  });
  expect_settled();
}

TEST_F(GlideTest, FeedbackStaysAtWorkWhileGainsGlide) {
  settings.config.kp = {200.0};
  resolve();
  repeat(150, [&] { follow(); });
  const VectorXd before = out.torque;
  states.q(3) += 0.01;
  follow();
  EXPECT_GT((out.torque - before).norm(), 0.1);
}

TEST_F(GlideTest, FrictionCompensation) {
  expect_a_glide([&] { settings.config.friction_compensation = false; });
  expect_settled();
  expect_a_glide([&] { settings.config.friction_compensation = true; });
  expect_settled();
}

TEST_F(GlideTest, WhatTheHardwareCompensates) {
  expect_a_glide([&] {
    settings.config.compensated_by_hardware.gravity = true;
    settings.config.compensated_by_hardware.coriolis = true;
    settings.config.compensated_by_hardware.friction = true;
  });
  expect_settled();
}

TEST_F(GlideTest, GravityOnItsTopic) {
  // From the floor to the ceiling: twice what gravity may change in a ramp.
  expect_a_glide([&] { gravity = {-kStandardGravity, 1}; }, 2.0);
  expect_settled();
}

TEST_F(GlideTest, GravityAsAParameter) {
  expect_a_glide([&] { settings.config.gravity = Vector3(0.0, 0.0, -1.0); });
  expect_settled();
}

TEST_F(GlideTest, GravityOfAMountThatMovesIsFollowedWithoutALag) {
  for (int i = 1; i <= 200; ++i) {  // a tilt of 1 rad/s, told once in ten cycles
    if (i % 10 == 0) {
      const double angle = 1e-3 * i;
      gravity.vector = -9.8 * Vector3(std::sin(angle), 0.0, std::cos(angle));
      ++gravity.generation;
    }
    follow();
  }
  repeat(9, [&] { follow(); });  // until the next message it has arrived
  expect_settled();
}

TEST_F(GlideTest, AWrenchThatComesAndOneThatStopsComing) {
  wrenches.links = {{model.link_count() - 1, Force(Vector3(1, 2, 3), Vector3(30, 20, 10)), now}};
  expect_a_glide([&] {});
  expect_settled();
  EXPECT_FALSE(has(out.faults, Fault::kStaleWrench));
  expect_a_glide([&] { wrenches_come = false; });
  EXPECT_TRUE(has(out.faults, Fault::kStaleWrench));
  wrenches.links[0].wrench = Force::Zero();  // the last word was: nothing pushes
  follow();
  EXPECT_FALSE(has(out.faults, Fault::kStaleWrench));
}

TEST_F(GlideTest, ASetpointThatIsNotRenewed) {
  references_come = false;
  repeat(500, [&] { follow(); });
  EXPECT_FALSE(has(out.faults, Fault::kStaleReference));
  expect_a_glide([&] {});
  EXPECT_TRUE(has(out.faults, Fault::kStaleReference));
}

TEST_F(GlideTest, AnotherRampWhileASetpointFadesOrAPayloadGrows) {
  references_come = false;
  settings.config.ramp_s = 10.0;
  repeat(600, [&] { follow(); });  // it times out, and fades by a hundredth
  ASSERT_TRUE(has(out.faults, Fault::kStaleReference));
  payloads = {1,
              {{model.link_count() - 1, Inertia::from_com(2.0, {0, 0, 0.1}, Matrix3::Identity())}}};
  repeat(100, [&] { follow(); });
  expect_a_glide([&] { settings.config.ramp_s = 0.3; });
}

TEST_F(GlideTest, AnEffortLimitThatIsRaised) {
  settings.config.effort_limits = {3.0};
  resolve();
  repeat(2, [&] { follow(); });
  ASSERT_TRUE(has(out.faults, Fault::kSaturated));
  expect_a_glide([&] {
    settings.config.effort_limits = {1000.0};
    resolve();
  });
  expect_settled();
}

TEST_F(GlideTest, ARateLimitThatIsLifted) {
  settings.config.torque_rate_limit = {0.01};
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  resolve();
  repeat(400, [&] { follow(); });
  ASSERT_TRUE(has(out.faults, Fault::kRateLimited));
  expect_a_glide([&] {
    settings.config.torque_rate_limit = {};
    resolve();
  });
  expect_settled();
}

TEST_F(GlideTest, AnotherFallbackWhileOneIsAtWork) {
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

TEST_F(GlideTest, ARobotWithTheSameJointsThatTakesOver) {
  LoadOptions options;
  options.payloads.push_back({model.link(model.link_count() - 1).name,
                              {3.0, Vector3(0, 0, 0.1), 0.01 * Matrix3::Identity()}});
  const Model heavier = load_urdf_file(shipped_urdf("arm7"), options);
  Engine next(heavier);
  next.continue_from(engine);
  const VectorXd before = out.torque;
  double largest_step = 0.0;
  for (int i = 0; i < 302; ++i) {
    const VectorXd last = out.torque;
    follow();  // the old engine keeps states and references coming
    next.step(now, {settings, states, references, effort_command, wrenches, payloads, gravity},
              out);
    largest_step = std::max(largest_step, (out.torque - last).cwiseAbs().maxCoeff());
  }
  const double whole = (out.torque - before).cwiseAbs().maxCoeff();
  EXPECT_GT(whole, 1.0) << "it is no heavier";
  EXPECT_LE(largest_step, 3.0 * whole / 300.0);
}

TEST_F(GlideTest, WhileNothingIsSentThereIsNothingToGlide) {
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
