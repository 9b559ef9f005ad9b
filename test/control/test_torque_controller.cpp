// The rules of the controller, tested one by one with a simulated clock.
#include "spatial_dynamics/control/torque_controller.hpp"

#include <cmath>
#include <limits>

#include "control/controller_harness.hpp"
#include "support/constants.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

bool near(const VectorXd& a, const VectorXd& b, double tolerance = 1e-12) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * (1.0 + b.cwiseAbs().maxCoeff());
}

// ---- phases -------------------------------------------------------------------------------------

TEST_F(TorqueControllerTest, SendsNothingUntilActivated) {
  active = false;
  cycle();
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_FALSE(out.send_torque);
  EXPECT_FALSE(out.send_acceleration);
}

TEST_F(TorqueControllerTest, WaitsUntilEveryJointHasState) {
  states.received[3] = 0;
  now += kMillisecond;
  step();
  EXPECT_EQ(out.phase, Phase::kWaiting);
  EXPECT_FALSE(out.send_torque);
  EXPECT_EQ(out.stalest, 3);
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.send_torque);
}

TEST_F(TorqueControllerTest, OutputHasStampOfState) {
  cycle();
  EXPECT_EQ(out.stamp, states.stamp);
  EXPECT_EQ(out.state_sequence, states.sequence);
}

TEST_F(TorqueControllerTest, SendsWholeTorqueAtActivation) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

TEST_F(TorqueControllerTest, ComputedTorqueHoldsPositionOfActivation) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  // No position error and no velocity: only the gravity torque.
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  const VectorXd held = states.q;
  states.q(2) += 0.1;
  cycle();
  EXPECT_NEAR(out.position_error(2), -0.1, 1e-12);
  EXPECT_NEAR(out.position_error(1), 0.0, 1e-12);
}

// ---- modes --------------------------------------------------------------------------------------

TEST_F(TorqueControllerTest, InverseDynamicsUsesAccelerationOfReference) {
  states.v = random_vector(random, 7);
  const VectorXd a = random_vector(random, 7);
  cycle();  // activation discards earlier references
  set_reference(states.q, states.v, a);
  cycle();
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, states.v, a)));
}

TEST_F(TorqueControllerTest, InverseDynamicsWithoutReferenceHasZeroAcceleration) {
  states.v = random_vector(random, 7);
  cycle();
  const VectorXd zero = VectorXd::Zero(7);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, states.v, zero)));
}

TEST_F(TorqueControllerTest, ComputedTorqueFollowsItsFormula) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  settings.config.kp = {90.0};
  settings.config.kd = {15.0};
  settings.config.friction_compensation = false;
  settings.config.torque_rate_limit = {0.0};  // none
  resolve();
  repeat(301, [&] { cycle(); });  // until feedback is ramped in
  states.v = 0.5 * random_vector(random, 7);
  const VectorXd q_ref = states.q + 0.01 * random_vector(random, 7);
  const VectorXd v_ref = 0.5 * random_vector(random, 7), a_ref = random_vector(random, 7);
  now += kMillisecond;
  see_states();
  set_reference(q_ref, v_ref, a_ref);
  step();
  const VectorXd a = a_ref + 15.0 * (v_ref - states.v) + 90.0 * (q_ref - states.q);
  VectorXd expected = inverse_dynamics(model, data, states.q, states.v, a);
  expected -= friction_torque(model, data, states.v);
  EXPECT_TRUE(near(out.torque, expected));
}

TEST_F(TorqueControllerTest, CompensatesCoulombFrictionAtReferenceVelocity) {
  const VectorXd v_ref = VectorXd::Constant(7, 0.4), zero = VectorXd::Zero(7);
  cycle();
  now += kMillisecond;
  see_states();
  set_reference(states.q, v_ref, zero);
  step();  // at rest, but the reference moves
  const VectorXd expected =
      gravity_torque(model, data, states.q) + friction_torque(model, data, zero, v_ref);
  EXPECT_TRUE(near(out.torque, expected));
}

TEST_F(TorqueControllerTest, ChangeOfModeCrossfadesAndHoldsPosition) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  cycle();
  states.q += VectorXd::Constant(7, 0.3);
  states.v = VectorXd::Constant(7, 0.5);
  cycle();
  VectorXd before = out.torque;
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  for (int i = 0; i < 301; ++i) {
    cycle();
    EXPECT_LT((out.torque - before).cwiseAbs().maxCoeff(), 0.5);  // 87 N m in 0.3 s
    before = out.torque;
  }
  EXPECT_TRUE(out.position_error.isZero(1e-12));
}

TEST_F(TorqueControllerTest, AddsFeedForwardEffort) {
  settings.config.torque_rate_limit = {0.0};
  resolve();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  for (JointReference& r : references.joints) {
    r.has_effort = true;
    set_effort(r, 1.5);
  }
  references.joints[0].generation = ++generation;
  cycle();  // activation discards earlier references
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  for (JointReference& r : references.joints) {
    r.generation = generation + 1;
    r.received = now;
  }
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q) + VectorXd::Constant(7, 1.5)));
}

TEST_F(TorqueControllerTest, LeavesOutTermsOfHardware) {
  settings.config.compensated_by_hardware.gravity = true;
  states.v = random_vector(random, 7);
  cycle();
  const VectorXd zero = VectorXd::Zero(7);
  VectorXd expected = inverse_dynamics(model, data, states.q, states.v, zero);
  expected -= gravity_torque(model, data, states.q);
  EXPECT_TRUE(near(out.torque, expected));
}

TEST_F(TorqueControllerTest, TermsAddUpToTorque) {
  settings.config.compute.torque_terms = true;
  states.v = random_vector(random, 7);
  wrenches.links = {{model.link_count() - 1, 5.0 * random_force(random), now}};
  cycle();
  set_reference(states.q, states.v, random_vector(random, 7));
  cycle();
  const TorqueTerms& t = out.terms;
  EXPECT_TRUE(
      near(t.gravity + t.coriolis + t.inertial + t.friction + t.external, out.torque, 1e-10));
  EXPECT_GT(t.external.norm(), 0.1);
}

// ---- forward dynamics ---------------------------------------------------------------------------

TEST_F(TorqueControllerTest, AccelerationUsesSentTorqueWithoutMeasuredEffort) {
  cycle();
  ASSERT_TRUE(out.send_acceleration);
  EXPECT_FALSE(out.effort_was_measured);
  const VectorXd tau = out.torque;
  EXPECT_TRUE(near(out.acceleration, forward_dynamics(model, data, states.q, states.v, tau), 1e-9));
}

TEST_F(TorqueControllerTest, AccelerationUsesMeasuredEffort) {
  states.effort = 5.0 * random_vector(random, 7);
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  cycle();
  EXPECT_TRUE(out.effort_was_measured);
  const VectorXd expected = forward_dynamics(model, data, states.q, states.v, states.effort);
  EXPECT_TRUE(near(out.acceleration, expected, 1e-9));
}

TEST_F(TorqueControllerTest, SendsAccelerationOfCommandOnlyWhileFresh) {
  settings.config.effort_source = EffortSource::kCommand;
  cycle();
  EXPECT_FALSE(out.send_acceleration);
  EXPECT_TRUE(has(out.faults, Fault::kStaleCommand));
  effort_command.effort = random_vector(random, 7);
  std::fill(effort_command.received.begin(), effort_command.received.end(), now);
  cycle();
  EXPECT_TRUE(out.send_acceleration);
  const VectorXd expected =
      forward_dynamics(model, data, states.q, states.v, effort_command.effort);
  EXPECT_TRUE(near(out.acceleration, expected, 1e-9));
  repeat(501, [&] { cycle(); });
  EXPECT_FALSE(out.send_acceleration);
}

// ---- watchdogs and fallbacks --------------------------------------------------------------------

TEST_F(TorqueControllerTest, StaleStatesRampTorqueToZeroAndKeepSendingZero) {
  cycle();
  VectorXd before = out.torque;
  const double largest_step = before.cwiseAbs().maxCoeff() / 290.0;  // 0.3 s at 1 kHz
  repeat(100, [&] { silent_cycle(); });
  EXPECT_EQ(out.phase, Phase::kRunning);  // an age equal to the timeout is not stale
  int cycles = 0;
  do {
    before = out.torque;
    silent_cycle();
    ASSERT_EQ(out.phase, Phase::kFallback);
    ASSERT_TRUE(has(out.faults, Fault::kStaleState));
    ASSERT_TRUE(out.send_torque);
    ASSERT_LE((out.torque - before).cwiseAbs().maxCoeff(), largest_step);
  } while (!out.torque.isZero(0.0) && ++cycles < 1000);
  EXPECT_NEAR(cycles, 300, 2);
  repeat(50, [&] { silent_cycle(); });
  EXPECT_TRUE(out.send_torque);
  EXPECT_TRUE(out.torque.isZero(0.0));
  EXPECT_FALSE(out.send_acceleration);
}

TEST_F(TorqueControllerTest, SendsOnlyComputedResults) {
  settings.config.compute.torque_terms = true;
  settings.config.compute.external_torque = true;
  settings.config.compute.mass_matrix = true;
  cycle();
  EXPECT_TRUE(out.send_terms);
  EXPECT_TRUE(out.send_external_torque);
  repeat(102, [&] { silent_cycle(); });
  ASSERT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(out.send_torque);
  EXPECT_FALSE(out.send_terms);
  EXPECT_FALSE(out.send_external_torque);
  cycle();
  EXPECT_TRUE(out.send_terms);
  active = false;
  cycle();
  ASSERT_EQ(out.phase, Phase::kRampingDown);
  EXPECT_TRUE(out.send_terms);  // the torque that ramps out still follows the state
  EXPECT_FALSE(out.send_external_torque);
}

TEST_F(TorqueControllerTest, FollowsReferenceReceivedWhileWaiting) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  states.received[3] = 0;
  step();
  ASSERT_EQ(out.phase, Phase::kWaiting);
  now += kMillisecond;
  for (std::size_t k = 0; k < references.joints.size(); ++k) {
    JointReference& r = references.joints[k];
    const double goal = states.q(static_cast<Index>(k)) + 0.5;
    r = full_reference(1, now, false, {{1.0, goal, 0.0, 0.0, 0.0}});
    r.starts_on_arrival = true;
  }
  now += 5000 * kMillisecond;  // states arrive late
  see_states();
  step();
  ASSERT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));  // the trajectory starts at the present position
  repeat(1000, [&] { cycle(); });
  EXPECT_TRUE(near(out.position_error, VectorXd::Constant(7, 0.5), 1e-10));
}

TEST_F(TorqueControllerTest, OneStaleJointStartsFallback) {
  cycle();
  repeat(101, [&] {
    now += kMillisecond;
    const std::int64_t kept = states.received[5];
    see_states();
    states.received[5] = kept;
    step();
  });
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_EQ(out.stalest, 5);
}

TEST_F(TorqueControllerTest, TorqueRampsUpWhenStatesReturn) {
  cycle();
  repeat(600, [&] { silent_cycle(); });
  ASSERT_TRUE(out.torque.isZero(0.0));
  const VectorXd full = gravity_torque(model, data, states.q);
  VectorXd before = out.torque;
  repeat(301, [&] {
    cycle();
    ASSERT_LE((out.torque - before).cwiseAbs().maxCoeff(), full.cwiseAbs().maxCoeff() / 290.0);
    before = out.torque;
  });
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(near(out.torque, full));
}

TEST_F(TorqueControllerTest, HoldsPresentPositionAfterOutage) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  repeat(600, [&] { silent_cycle(); });
  states.q += VectorXd::Constant(7, 0.5);  // the robot has moved meanwhile
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));
}

TEST_F(TorqueControllerTest, GravityOnlyHoldsLastPositionThenRampsToZero) {
  settings.config.fallback = Fallback::kGravityOnly;
  settings.config.gravity_only_s = 1.0;
  states.v = random_vector(random, 7);
  cycle();
  repeat(100 + 1 + 400, [&] { silent_cycle(); });
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  repeat(600 + 310, [&] { silent_cycle(); });
  EXPECT_TRUE(out.send_torque);
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(TorqueControllerTest, StopSendsZeroThenNothingUntilActivation) {
  settings.config.fallback = Fallback::kStop;
  cycle();
  VectorXd last;
  repeat(600, [&] {
    silent_cycle();
    if (out.send_torque) last = out.torque;
  });
  EXPECT_EQ(out.phase, Phase::kStopped);
  EXPECT_FALSE(out.send_torque);
  EXPECT_TRUE(last.isZero(0.0));
  repeat(10, [&] { cycle(); });  // fresh states do not end the stop
  EXPECT_EQ(out.phase, Phase::kStopped);
  active = false;
  cycle();
  active = true;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

TEST_F(TorqueControllerTest, ReturningStatesDoNotEndRampOfStop) {
  settings.config.fallback = Fallback::kStop;
  cycle();
  repeat(100 + 50, [&] { silent_cycle(); });
  ASSERT_EQ(out.phase, Phase::kFallback);
  ASSERT_FALSE(out.torque.isZero(0.0)) << "the ramp has not ended";
  settings.config.fallback = Fallback::kZero;  // a parameter does not end it either
  repeat(600, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kStopped);
}

TEST_F(TorqueControllerTest, NewActivationNumberEndsStopWithoutDeactivation) {
  settings.config.fallback = Fallback::kStop;
  activation = 1;
  cycle();
  repeat(600, [&] { silent_cycle(); });
  repeat(10, [&] { cycle(); });
  ASSERT_EQ(out.phase, Phase::kStopped);
  activation = 3;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

TEST_F(TorqueControllerTest, RiseOfActiveWithSameNumberDoesNotEndStop) {
  settings.config.fallback = Fallback::kStop;
  activation = 1;
  cycle();
  repeat(600, [&] { silent_cycle(); });
  active = false;  // as while another robot is about to replace this one
  repeat(10, [&] { cycle(); });
  active = true;
  repeat(10, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kStopped);
}

TEST_F(TorqueControllerTest, HoldsLastPositionAfterReferenceTimeout) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  const VectorXd q_ref = states.q + VectorXd::Constant(7, 0.02);
  set_reference(q_ref, VectorXd::Ones(7), VectorXd::Ones(7));
  cycle();
  EXPECT_FALSE(has(out.faults, Fault::kStaleReference));
  repeat(500, [&] { cycle(); });
  EXPECT_TRUE(has(out.faults, Fault::kStaleReference));
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(near(out.position_error, VectorXd::Constant(7, 0.02), 1e-10));
}

TEST_F(TorqueControllerTest, ReferenceTimeoutFallsBackIfConfigured) {
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);  // no timeout before the first reference
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(502, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(has(out.faults, Fault::kStaleReference));
  repeat(310, [&] { cycle(); });
  EXPECT_TRUE(out.torque.isZero(0.0));
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

// ---- limits -------------------------------------------------------------------------------------

TEST_F(TorqueControllerTest, CutsTorqueToEffortLimitAndSetsFault) {
  settings.config.torque_rate_limit = {0.0};
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  settings.config.kp = {1e6};
  resolve();
  cycle();
  states.q += VectorXd::Constant(7, 0.3);
  cycle();
  EXPECT_TRUE(has(out.faults, Fault::kSaturated));
  for (Index k = 0; k < 7; ++k) {
    EXPECT_LE(std::abs(out.torque(k)), model.joint(k + 1).limits.effort);
  }
  EXPECT_EQ(std::abs(out.torque(0)), model.joint(1).limits.effort);
}

TEST_F(TorqueControllerTest, LoweredEffortLimitAppliesAtOnceDespiteRateLimit) {
  settings.config.torque_rate_limit = {1.0};
  resolve();
  cycle();
  repeat(5000, [&] { cycle(); });
  const double before = out.torque.cwiseAbs().maxCoeff();
  ASSERT_GT(before, 2.0);
  settings.config.effort_limits = {1.0};
  resolve();
  cycle();
  EXPECT_LE(out.torque.cwiseAbs().maxCoeff(), 1.0);
}

TEST_F(TorqueControllerTest, CutsChangeOfTorqueToRateLimitAndSetsFault) {
  settings.config.torque_rate_limit = {100.0};  // N m/s: 0.1 N m per cycle
  resolve();
  VectorXd before = VectorXd::Zero(7);
  bool flagged = false;
  for (int i = 0; i < 1000; ++i) {
    states.q += 0.01 * random_vector(random, 7);
    cycle();
    EXPECT_LE((out.torque - before).cwiseAbs().maxCoeff(), 0.1 + 1e-12);
    flagged = flagged || has(out.faults, Fault::kRateLimited);
    before = out.torque;
  }
  EXPECT_TRUE(flagged);
}

TEST_F(TorqueControllerTest, NonFiniteTorqueIsNeverSentAndLatchesFallback) {
  cycle();
  const VectorXd before = out.torque;
  states.v(2) = kNaN;  // the inbox of the node rejects NaN, a loop of a user may not
  cycle();
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(has(out.faults, Fault::kNonFinite));
  EXPECT_TRUE(out.torque.allFinite());
  states.v(2) = 0.0;
  repeat(400, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kFallback);  // latched
  EXPECT_TRUE(out.torque.isZero(0.0));
  active = false;
  cycle();
  active = true;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);  // the next activation clears it
  EXPECT_FALSE(has(out.faults, Fault::kNonFinite));
}

/// As a change of chained mode in ros2_control does; `active` does not rise.
TEST_F(TorqueControllerTest, InterruptKeepsNonFiniteResultLatched) {
  cycle();
  states.v(2) = kNaN;
  cycle();
  ASSERT_TRUE(has(out.faults, Fault::kNonFinite));
  states.v(2) = 0.0;
  cycle();
  controller.interrupt(now);
  repeat(400, [&] {
    cycle();
    EXPECT_FALSE(out.send_torque);
  });
  EXPECT_EQ(out.phase, Phase::kStopped);
}

TEST_F(TorqueControllerTest, OverflowDuringRampIsNeverSent) {
  // The ramp from -1.5e308 to 1.5e308 N m has hardly begun when the controller is deactivated: the
  // torque that ramps out then overflows.
  const VectorXd zero = VectorXd::Zero(7);
  const auto ask_for_effort = [&](double effort) {
    set_reference(states.q, zero, zero);
    set_effort(references.joints[2], effort);
  };
  settings.joints.effort_limit.setConstant(kInfinity);
  settings.joints.torque_rate_limit.setConstant(kInfinity);
  cycle();
  ask_for_effort(-1.5e308);
  cycle();
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  ask_for_effort(1.5e308);
  cycle();
  ASSERT_LT(out.torque(2), -1e308);
  active = false;
  for (int i = 0; i < 400 && out.phase != Phase::kInactive; ++i) {
    cycle();
    ASSERT_TRUE(out.torque.allFinite()) << "cycle " << i;
    EXPECT_TRUE(has(out.faults, Fault::kNonFinite));
  }
  EXPECT_TRUE(out.torque.isZero(0.0));
}

// ---- deactivation -------------------------------------------------------------------------------

TEST_F(TorqueControllerTest, DeactivationRampsToZeroWithinRampTime) {
  cycle();
  active = false;
  VectorXd last;
  int cycles = 0;
  do {
    cycle();
    if (out.send_torque) last = out.torque;
    ++cycles;
  } while (out.phase != Phase::kInactive && cycles < 1000);
  EXPECT_NEAR(cycles, 300, 2);
  EXPECT_TRUE(last.isZero(0.0));
  cycle();
  EXPECT_FALSE(out.send_torque);
}

TEST_F(TorqueControllerTest, TorqueFollowsStateDuringRampDown) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  cycle();
  active = false;
  repeat(149, [&] { cycle(); });
  states.q += VectorXd::Constant(7, 0.2);
  cycle();  // half of the ramp
  EXPECT_TRUE(near(out.torque, 0.5 * gravity_torque(model, data, states.q), 1e-9));
}

TEST_F(TorqueControllerTest, DeactivationBeforeFirstStateSendsNothing) {
  states.received[0] = 0;
  step();
  ASSERT_EQ(out.phase, Phase::kWaiting);
  active = false;
  step();
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_FALSE(out.send_torque);
}

TEST_F(TorqueControllerTest, RampsContinueAfterPauseOfProcess) {
  cycle();
  const double full = out.torque.cwiseAbs().maxCoeff();
  active = false;
  cycle();
  now += 1000 * kMillisecond;  // as after SIGSTOP
  cycle();
  // The ramp of 0.3 s advances by at most 0.1 s.
  EXPECT_GT(out.torque.cwiseAbs().maxCoeff(), 0.6 * full);
}

TEST_F(TorqueControllerTest, RampDownTakesAtMost300Milliseconds) {
  settings.config.ramp_s = 5.0;
  cycle();
  active = false;
  repeat(302, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kInactive);
}

TEST_F(TorqueControllerTest, RampDownFromFallbackDoesNotIncreaseTorque) {
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(1000, [&] { cycle(); });
  ASSERT_TRUE(out.torque.isZero(0.0));
  states.q += VectorXd::Constant(7, 0.5);  // the robot sags
  active = false;
  cycle();
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(TorqueControllerTest, PauseOfProcessHoldsPositionWithCrossfade) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  for (std::size_t k = 0; k < references.joints.size(); ++k) {
    const double goal = states.q(static_cast<Index>(k)) + 1.0;
    references.joints[k] = full_reference(1, now, false, {{2.0, goal, 0.0, 0.0, 0.0}});
  }
  cycle();
  const VectorXd before = out.torque;
  now += 1000 * kMillisecond;  // the trajectory has progressed
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));
  EXPECT_LT((out.torque - before).cwiseAbs().maxCoeff(), 0.4 * (1.0 + before.norm()));
}

TEST_F(TorqueControllerTest, ReplacementKeepsReference) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  set_reference(states.q + VectorXd::Constant(7, 0.02), VectorXd::Zero(7), VectorXd::Zero(7));
  cycle();
  TorqueController next(model);
  next.continue_from(controller);
  now += kMillisecond;
  see_states();
  next.step(now, view(), out);
  EXPECT_TRUE(near(out.position_error, VectorXd::Constant(7, 0.02), 1e-10));
}

TEST_F(TorqueControllerTest, GravityOnlyFollowsPositionWhileStatesAreFresh) {
  settings.config.fallback = Fallback::kGravityOnly;
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(900, [&] { cycle(); });
  ASSERT_EQ(out.phase, Phase::kFallback);
  states.q += VectorXd::Constant(7, 0.1);
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

// ---- payload, gravity, wrench -------------------------------------------------------------------

TEST_F(TorqueControllerTest, PayloadIsRampedIn) {
  cycle();
  const VectorXd without = out.torque;
  const Index hand = model.link_count() - 1;
  const Inertia load = Inertia::from_com(1.0, {0, 0, 0.1}, 0.001 * Matrix3::Identity());
  payloads.generation = 1;
  payloads.links = {{hand, load}};
  cycle();
  EXPECT_TRUE(near(out.torque, without, 0.02));
  repeat(301, [&] { cycle(); });
  model.set_payload(hand, load);
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  payloads.generation = 2;
  payloads.links[0].inertia = Inertia::Zero();
  repeat(302, [&] { cycle(); });
  EXPECT_TRUE(near(out.torque, without));
}

TEST_F(TorqueControllerTest, GravityFollowsItsInput) {
  cycle();
  gravity = {Vector3(1.0, 2.0, -9.0), 1};
  repeat(301, [&] { cycle(); });
  model.set_gravity(gravity.vector);
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

TEST_F(TorqueControllerTest, CompensatesKnownWrenchUntilTimeout) {
  const VectorXd zero = VectorXd::Zero(7);
  const Index hand = model.link_count() - 1;
  const Force wrench(Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1));
  wrenches.links = {{hand, wrench, now}};
  cycle();
  ExternalForces forces(model);
  forces.add(model, hand, wrench);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, zero, zero, forces)));
  repeat(501 + 300, [&] { cycle(); });  // the wrench times out and ramps out
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  EXPECT_TRUE(has(out.faults, Fault::kStaleWrench));
}

TEST_F(TorqueControllerTest, ObserverExcludesKnownWrench) {
  settings.config.compute.external_torque = true;
  const VectorXd zero = VectorXd::Zero(7), push = random_vector(random, 7);
  const Index hand = model.link_count() - 1;
  wrenches.links = {{hand, Force(Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1)), now}};
  ExternalForces forces(model);
  forces.add(model, hand, wrenches.links[0].wrench);
  // At rest against the known wrench and an unknown push.
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  states.effort = inverse_dynamics(model, data, states.q, zero, zero, forces) - push;
  repeat(200, [&] { cycle(); });
  EXPECT_TRUE(out.send_external_torque);
  EXPECT_TRUE(near(out.external_torque, push, 1e-4));
}

TEST_F(TorqueControllerTest, ObserverEstimatesUnknownPush) {
  // The robot is held at rest against a push: the effort differs from gravity by J' f, which the
  // observer estimates.
  settings.config.compute.external_torque = true;
  settings.config.observer_gain = 50.0;
  const VectorXd push = random_vector(random, 7);
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  states.effort = gravity_torque(model, data, states.q) - push;
  repeat(200, [&] { cycle(); });  // ten time constants of 20 ms
  EXPECT_TRUE(near(out.external_torque, push, 1e-4));
}

// ---- real time ----------------------------------------------------------------------------------

TEST_F(TorqueControllerTest, StepsDoNotAllocate) {
  settings.config.compute.torque_terms = true;
  settings.config.compute.external_torque = true;
  settings.config.compute.mass_matrix = true;
  wrenches.links = {{model.link_count() - 1, Force::Zero(), now}};
  payloads.links = {
      {model.link_count() - 1, Inertia::from_com(1.0, {0, 0, 0}, Matrix3::Identity())}};
  payloads.generation = 1;
  for (const TorqueMode mode :
       {TorqueMode::kComputedTorque, TorqueMode::kJointImpedance, TorqueMode::kHandGuiding}) {
    settings.config.torque_mode = mode;
    set_reference(states.q, VectorXd::Ones(7), states.v);
    active = true;
    const HeapWatch watch;
    repeat(100, [&] { cycle(); });
    repeat(700, [&] { silent_cycle(); });
    repeat(400, [&] { cycle(); });
    active = false;
    repeat(400, [&] { cycle(); });
    EXPECT_EQ(watch.count(), 0u) << to_string(mode);
  }
}

class FloatingControllerTest : public TorqueControllerTest {
 protected:
  static Model robot() {
    LoadOptions options;
    options.floating_base = true;
    return load_urdf_file(shipped_urdf("arm7"), options);
  }
  FloatingControllerTest() : TorqueControllerTest(robot()) {}
};

TEST_F(FloatingControllerTest, NeedsStateOfBase) {
  states.base_received = 0;
  step();
  EXPECT_EQ(out.phase, Phase::kWaiting);
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

TEST_F(FloatingControllerTest, ReportsWrenchOfBaseAndFreeAcceleration) {
  cycle();
  const VectorXd zero = VectorXd::Zero(13);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, zero, zero)));
  VectorXd effort = out.torque;
  effort.head<6>().setZero();  // no motor drives the base
  EXPECT_TRUE(near(out.acceleration, forward_dynamics(model, data, states.q, zero, effort), 1e-9));
}

}  // namespace
}  // namespace spatial_dynamics::test
