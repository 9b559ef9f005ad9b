// The engine's rules, one by one, with a made-up clock.
#include "spatial_dynamics/runtime/engine.hpp"

#include <cmath>
#include <limits>

#include "runtime/engine_harness.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool near(const VectorXd& a, const VectorXd& b, double tolerance = 1e-12) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * (1.0 + b.cwiseAbs().maxCoeff());
}

// ---- phases ---------------------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, IsSilentUntilActivated) {
  active = false;
  cycle();
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_FALSE(out.send_torque);
  EXPECT_FALSE(out.send_acceleration);
}

TEST_F(EngineTest, WaitsUntilEveryJointHasAState) {
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

TEST_F(EngineTest, CarriesTheStampOfTheStateItUsed) {
  cycle();
  EXPECT_EQ(out.stamp, states.stamp);
  EXPECT_EQ(out.state_sequence, states.sequence);
}

TEST_F(EngineTest, SendsTheWholeTorqueAtActivation) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

TEST_F(EngineTest, HoldsThePositionOfActivationInComputedTorque) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  // No position error, no velocity: nothing but gravity.
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  const VectorXd held = states.q;
  states.q(2) += 0.1;
  cycle();
  EXPECT_NEAR(out.position_error(2), -0.1, 1e-12);
  EXPECT_NEAR(out.position_error(1), 0.0, 1e-12);
}

// ---- modes ----------------------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, InverseDynamicsTakesTheReferencesAcceleration) {
  states.v = random_vector(random, 7);
  const VectorXd a = random_vector(random, 7);
  cycle();  // activation forgets what came before
  set_reference(states.q, states.v, a);
  cycle();
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, states.v, a)));
}

TEST_F(EngineTest, InverseDynamicsWithoutAReferenceAsksForNoAcceleration) {
  states.v = random_vector(random, 7);
  cycle();
  const VectorXd zero = VectorXd::Zero(7);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, states.v, zero)));
}

TEST_F(EngineTest, ComputedTorqueFollowsItsFormula) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  settings.config.kp = {90.0};
  settings.config.kd = {15.0};
  settings.config.friction_compensation = false;
  resolve();
  repeat(301, [&] { cycle(); });  // until feedback has grown
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

TEST_F(EngineTest, CoulombFrictionIsCompensatedAtTheReferencesVelocity) {
  const VectorXd v_ref = VectorXd::Constant(7, 0.4), zero = VectorXd::Zero(7);
  cycle();
  now += kMillisecond;
  see_states();
  set_reference(states.q, v_ref, zero);
  step();  // standing still, but about to move
  const VectorXd expected =
      gravity_torque(model, data, states.q) + friction_torque(model, data, zero, v_ref);
  EXPECT_TRUE(near(out.torque, expected));
}

TEST_F(EngineTest, AChangeOfModeFadesAndHoldsThePresentPosition) {
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

TEST_F(EngineTest, FeedForwardEffortIsAdded) {
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  for (JointReference& r : references.joints) {
    r.has_effort = true;
    r.knots[0].effort = 1.5;
  }
  references.joints[0].generation = ++generation;
  cycle();  // activation forgets what came before
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  for (JointReference& r : references.joints) {
    r.generation = generation + 1;
    r.received = now;
  }
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q) + VectorXd::Constant(7, 1.5)));
}

TEST_F(EngineTest, LeavesOutWhatTheHardwareCompensates) {
  settings.config.compensated_by_hardware.gravity = true;
  states.v = random_vector(random, 7);
  cycle();
  const VectorXd zero = VectorXd::Zero(7);
  VectorXd expected = inverse_dynamics(model, data, states.q, states.v, zero);
  expected -= gravity_torque(model, data, states.q);
  EXPECT_TRUE(near(out.torque, expected));
}

TEST_F(EngineTest, TermsAddUpToTheTorque) {
  settings.config.publish.torque_terms = true;
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

// ---- forward dynamics -----------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, AccelerationIsThatOfItsOwnTorqueWhereNoEffortIsMeasured) {
  cycle();
  ASSERT_TRUE(out.send_acceleration);
  EXPECT_FALSE(out.effort_was_measured);
  const VectorXd tau = out.torque;
  EXPECT_TRUE(near(out.acceleration, forward_dynamics(model, data, states.q, states.v, tau), 1e-9));
}

TEST_F(EngineTest, AccelerationIsThatOfTheMeasuredEffortWhereStatesCarryOne) {
  states.effort = 5.0 * random_vector(random, 7);
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  cycle();
  EXPECT_TRUE(out.effort_was_measured);
  const VectorXd expected = forward_dynamics(model, data, states.q, states.v, states.effort);
  EXPECT_TRUE(near(out.acceleration, expected, 1e-9));
}

TEST_F(EngineTest, AccelerationOfACommandIsSentOnlyWhileTheCommandIsFresh) {
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

// ---- watchdogs and fallbacks ----------------------------------------------------------------------------------------------------

TEST_F(EngineTest, StaleStatesRampTheTorqueToZeroAndKeepSendingZero) {
  cycle();
  VectorXd before = out.torque;
  const double largest_step = before.cwiseAbs().maxCoeff() / 290.0;  // 0.3 s at 1 kHz
  repeat(100, [&] { silent_cycle(); });
  EXPECT_EQ(out.phase, Phase::kRunning);  // exactly the timeout is not too late
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

TEST_F(EngineTest, WhatIsNotComputedIsNotSent) {
  settings.config.publish.torque_terms = true;
  settings.config.publish.external_torque = true;
  settings.config.publish.mass_matrix = true;
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
  ASSERT_EQ(out.phase, Phase::kWindingDown);
  EXPECT_TRUE(out.send_terms);  // the torque that is faded out still follows the state
  EXPECT_FALSE(out.send_external_torque);
}

TEST_F(EngineTest, AReferenceThatCameWhileStatesWereAwaitedIsFollowed) {
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
  now += 5000 * kMillisecond;  // the states take their time
  see_states();
  step();
  ASSERT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));  // it starts here and now
  repeat(1000, [&] { cycle(); });
  EXPECT_TRUE(near(out.position_error, VectorXd::Constant(7, 0.5), 1e-10));
}

TEST_F(EngineTest, OneStaleJointIsEnough) {
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

TEST_F(EngineTest, TorqueComesBackWithARampWhenStatesDo) {
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

TEST_F(EngineTest, AfterAnOutageThePresentPositionIsHeldNotTheOldReference) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  repeat(600, [&] { silent_cycle(); });
  states.q += VectorXd::Constant(7, 0.5);  // it has moved meanwhile
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));
}

TEST_F(EngineTest, GravityOnlyHoldsTheLastPositionThenRampsToZero) {
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

TEST_F(EngineTest, StopSendsZeroAndThenNothingUntilTheNextActivation) {
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
  repeat(10, [&] { cycle(); });  // states are back: it stays stopped
  EXPECT_EQ(out.phase, Phase::kStopped);
  active = false;
  cycle();
  active = true;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

TEST_F(EngineTest, AReferenceThatTimesOutLeavesItsLastPositionHeld) {
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

TEST_F(EngineTest, AReferenceTimeoutFallsBackWhereThatIsAsked) {
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);  // before the first reference there is nothing to miss
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

// ---- limits ---------------------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, TorquesAreCutToTheEffortLimitsAndFlagged) {
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

TEST_F(EngineTest, ALoweredLimitHoldsAtOnceWhateverTheRateLimit) {
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

TEST_F(EngineTest, TheChangeOfTorqueIsCutToTheRateLimitAndFlagged) {
  settings.config.torque_rate_limit = {100.0};  // N m/s: 0.1 N m in a millisecond
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

TEST_F(EngineTest, ANonFiniteTorqueIsNeverSentAndLatchesTheFallback) {
  cycle();
  const VectorXd before = out.torque;
  states.v(2) = kNaN;  // the inbox would not let this pass
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

TEST_F(EngineTest, WhatOverflowsWhileFadingIsNotSentEvenWithoutLimits) {
  // Hardly on the way from an effort close to the largest number to its opposite it is to end: what is faded out overflows.
  const VectorXd zero = VectorXd::Zero(7);
  const auto ask_for_effort = [&](double effort) {
    set_reference(states.q, zero, zero);
    references.joints[2].knots[0].effort = effort;
  };
  settings.joints.effort_limit.setConstant(kInfinity);
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

// ---- deactivation ---------------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, DeactivationRampsToZeroWithinTheRampAndEndsOnZero) {
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

TEST_F(EngineTest, WhileWindingDownTheTorqueStillFollowsTheState) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  cycle();
  active = false;
  repeat(149, [&] { cycle(); });
  states.q += VectorXd::Constant(7, 0.2);
  cycle();  // half-way
  EXPECT_TRUE(near(out.torque, 0.5 * gravity_torque(model, data, states.q), 1e-9));
}

TEST_F(EngineTest, DeactivationBeforeTheFirstStateSendsNothing) {
  states.received[0] = 0;
  step();
  ASSERT_EQ(out.phase, Phase::kWaiting);
  active = false;
  step();
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_FALSE(out.send_torque);
}

TEST_F(EngineTest, AfterAPauseOfTheProcessRampsGoOnInsteadOfJumping) {
  cycle();
  const double full = out.torque.cwiseAbs().maxCoeff();
  active = false;
  cycle();
  now += 1000 * kMillisecond;  // SIGSTOP
  cycle();
  // At most 0.1 s of the ramp of 0.3 s.
  EXPECT_GT(out.torque.cwiseAbs().maxCoeff(), 0.6 * full);
}

TEST_F(EngineTest, WindingDownTakesNoLongerThanTheRampOrThreeTenthsOfASecond) {
  settings.config.ramp_s = 5.0;
  cycle();
  active = false;
  repeat(302, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kInactive);
}

TEST_F(EngineTest, WindingDownFromAFallbackNeverRaisesTheTorque) {
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(1000, [&] { cycle(); });
  ASSERT_TRUE(out.torque.isZero(0.0));
  states.q += VectorXd::Constant(7, 0.5);  // it sags
  active = false;
  cycle();
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(EngineTest, AfterAPauseOfTheProcessThePresentPositionIsHeldWithAFade) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  for (std::size_t k = 0; k < references.joints.size(); ++k) {
    const double goal = states.q(static_cast<Index>(k)) + 1.0;
    references.joints[k] = full_reference(1, now, false, {{2.0, goal, 0.0, 0.0, 0.0}});
  }
  cycle();
  const VectorXd before = out.torque;
  now += 1000 * kMillisecond;  // the trajectory has gone on without us
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.position_error.isZero(1e-12));
  EXPECT_LT((out.torque - before).cwiseAbs().maxCoeff(), 0.4 * (1.0 + before.norm()));
}

TEST_F(EngineTest, AnEngineThatTakesOverKeepsTheReference) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  cycle();
  set_reference(states.q + VectorXd::Constant(7, 0.02), VectorXd::Zero(7), VectorXd::Zero(7));
  cycle();
  Engine next(model);
  next.continue_from(engine);
  now += kMillisecond;
  see_states();
  const EngineInputs in{settings, states, references, effort_command, wrenches, payloads, gravity};
  next.step(now, in, out);
  EXPECT_TRUE(near(out.position_error, VectorXd::Constant(7, 0.02), 1e-10));
}

TEST_F(EngineTest, GravityOnlyFollowsThePositionWhileItIsKnown) {
  settings.config.fallback = Fallback::kGravityOnly;
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  cycle();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(900, [&] { cycle(); });
  ASSERT_EQ(out.phase, Phase::kFallback);
  states.q += VectorXd::Constant(7, 0.3);
  cycle();
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

// ---- payload, gravity, wrench ---------------------------------------------------------------------------------------------------

TEST_F(EngineTest, APayloadIsTakenUpWithARamp) {
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

TEST_F(EngineTest, GravityFollowsItsInput) {
  cycle();
  gravity = {Vector3(1.0, 2.0, -9.0), 1};
  repeat(301, [&] { cycle(); });
  model.set_gravity(gravity.vector);
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
}

TEST_F(EngineTest, AKnownWrenchIsCompensatedUntilItIsTooOld) {
  const VectorXd zero = VectorXd::Zero(7);
  const Index hand = model.link_count() - 1;
  const Force wrench(Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1));
  wrenches.links = {{hand, wrench, now}};
  cycle();
  ExternalForces forces(model);
  forces.add(model, hand, wrench);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, zero, zero, forces)));
  repeat(501 + 300, [&] { cycle(); });  // it fades
  EXPECT_TRUE(near(out.torque, gravity_torque(model, data, states.q)));
  EXPECT_TRUE(has(out.faults, Fault::kStaleWrench));
}

TEST_F(EngineTest, TheObserverLeavesOutWhatAKnownWrenchExplains) {
  settings.config.publish.external_torque = true;
  const VectorXd zero = VectorXd::Zero(7), push = random_vector(random, 7);
  const Index hand = model.link_count() - 1;
  wrenches.links = {{hand, Force(Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1)), now}};
  ExternalForces forces(model);
  forces.add(model, hand, wrenches.links[0].wrench);
  // Held still against the known wrench and against a push that nobody knows of.
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  states.effort = inverse_dynamics(model, data, states.q, zero, zero, forces) - push;
  repeat(200, [&] { cycle(); });
  EXPECT_TRUE(out.send_external_torque);
  EXPECT_TRUE(near(out.external_torque, push, 1e-4));
}

TEST_F(EngineTest, TheObserverFindsAPushThatTheModelDoesNotKnow) {
  // A robot that is held still by its torque against a push: the effort is off by J' f, which the observer reports.
  settings.config.publish.external_torque = true;
  settings.config.observer_gain = 50.0;
  const VectorXd push = random_vector(random, 7);
  std::fill(states.has_effort.begin(), states.has_effort.end(), 1);
  states.effort = gravity_torque(model, data, states.q) - push;
  repeat(200, [&] { cycle(); });  // ten time constants of 20 ms
  EXPECT_TRUE(near(out.external_torque, push, 1e-4));
}

// ---- real time ------------------------------------------------------------------------------------------------------------------

TEST_F(EngineTest, NoStepTouchesTheHeap) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  settings.config.publish.torque_terms = true;
  settings.config.publish.external_torque = true;
  settings.config.publish.mass_matrix = true;
  wrenches.links = {{model.link_count() - 1, Force::Zero(), now}};
  payloads.links = {
      {model.link_count() - 1, Inertia::from_com(1.0, {0, 0, 0}, Matrix3::Identity())}};
  payloads.generation = 1;
  set_reference(states.q, states.v, states.v);
  const HeapWatch watch;
  repeat(100, [&] { cycle(); });
  repeat(700, [&] { silent_cycle(); });
  repeat(400, [&] { cycle(); });
  active = false;
  repeat(400, [&] { cycle(); });
  EXPECT_EQ(watch.count(), 0u);
}

class FloatingEngineTest : public EngineTest {
 protected:
  static Model robot() {
    LoadOptions options;
    options.floating_base = true;
    return load_urdf_file(shipped_urdf("arm7"), options);
  }
  FloatingEngineTest() : EngineTest(robot()) {}
};

TEST_F(FloatingEngineTest, NeedsTheBasesStateToo) {
  states.base_received = 0;
  step();
  EXPECT_EQ(out.phase, Phase::kWaiting);
  cycle();
  EXPECT_EQ(out.phase, Phase::kRunning);
}

TEST_F(FloatingEngineTest, ReportsTheWrenchThatTheBaseNeedsAndItsFreeAcceleration) {
  cycle();
  const VectorXd zero = VectorXd::Zero(13);
  EXPECT_TRUE(near(out.torque, inverse_dynamics(model, data, states.q, zero, zero)));
  VectorXd effort = out.torque;
  effort.head<6>().setZero();  // nothing holds the base
  EXPECT_TRUE(near(out.acceleration, forward_dynamics(model, data, states.q, zero, effort), 1e-9));
}

}  // namespace
}  // namespace spatial_dynamics::test
