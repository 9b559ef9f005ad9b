// Activation, deactivation and replacement do not step the torque, and no reference is followed
// during a ramp to zero. Settings and inputs are in test_torque_controller_ramps.cpp.
#include "control/control_cycle.hpp"

#include <cmath>
#include <memory>

#include "control/controller_harness.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"

namespace spatial_dynamics::test {
namespace {

class TransitionTest : public TorqueControllerTest {
 protected:
  TransitionTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    resolve();
  }
  [[nodiscard]] double off_gravity() {
    return (out.torque - gravity_torque(model, data, states.q)).cwiseAbs().maxCoeff();
  }
  void ask_for(double distance) {
    set_reference(states.q + VectorXd::Constant(7, distance), VectorXd::Zero(7), VectorXd::Zero(7));
  }
  double largest_step(int cycles) {
    double largest = 0.0;
    repeat(cycles, [&] {
      const VectorXd before = out.torque;
      cycle();
      largest = std::max(largest, (out.torque - before).cwiseAbs().maxCoeff());
    });
    return largest;
  }
};

TEST_F(TransitionTest, FeedbackToFarReferenceIsRampedAtActivation) {
  states.received[3] = 0;
  step();
  ASSERT_EQ(out.phase, Phase::kWaiting);
  ask_for(2.0);
  cycle();
  ASSERT_EQ(out.phase, Phase::kRunning);
  EXPECT_NEAR(out.position_error.maxCoeff(), 2.0, 1e-12) << "the reference was adopted";
  EXPECT_LT(off_gravity(), 1e-9) << "the first torque is the gravity torque alone";
  EXPECT_LT(largest_step(300), 1.5) << "at most 87 N m in 0.3 s, and damping";
  EXPECT_GT(off_gravity(), 20.0);
}

TEST_F(TransitionTest, IgnoresNewReferenceDuringRampDown) {
  repeat(400, [&] { cycle(); });
  active = false;
  cycle();
  const double at_first = out.torque.cwiseAbs().maxCoeff();
  ask_for(2.0);
  EXPECT_LT(largest_step(298), at_first / 250.0);
  EXPECT_EQ(out.phase, Phase::kRampingDown);
  repeat(5, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kInactive);
}

TEST_F(TransitionTest, ActiveTrajectoryStopsDuringRampDown) {
  repeat(400, [&] { cycle(); });
  ++generation;
  for (std::size_t k = 0; k < 7; ++k) {
    const double goal = states.q(static_cast<Index>(k)) + 3.0;
    references.joints[k] = full_reference(generation, now, false, {{1.0, goal, 0.0, 0.0, 0.0}});
  }
  repeat(100, [&] { cycle(); });
  active = false;
  cycle();
  const VectorXd error = out.position_error;
  repeat(200, [&] { cycle(); });
  EXPECT_EQ(out.position_error, error) << "the reference must not move";
}

TEST_F(TransitionTest, ChangeOfModeDuringRampDownDoesNotStepTorque) {
  repeat(400, [&] { cycle(); });
  ask_for(0.2);
  repeat(400, [&] { cycle(); });
  active = false;
  cycle();
  const double at_first = out.torque.cwiseAbs().maxCoeff();
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  EXPECT_LT(largest_step(299), at_first / 250.0);
}

// ---- replacement by another robot --------------------------------------------------------------

class ReplacementTest : public TransitionTest {
 protected:
  ReplacementTest() {
    LoadOptions options;
    options.payloads.push_back({model.link(model.link_count() - 1).name,
                                {9.0, Vector3(0, 0, 0.1), 0.01 * Matrix3::Identity()}});
    heavy = load_urdf_file(shipped_urdf("arm7"), options);
    repeat(400, [&] { cycle(); });
  }
  /// Runs `cycles` cycles and replaces the robot every ten cycles. `out` is of the last robot.
  void run_with_replacements(int cycles, bool states_come) {
    std::unique_ptr<TorqueController> before, next;
    for (int i = 0; i < cycles; ++i) {
      if (i % 10 == 0) {
        next = std::make_unique<TorqueController>(i % 20 == 0 ? heavy : model);
        next->continue_from(before == nullptr ? controller : *before);
        before = std::move(next);
      }
      now += kMillisecond;
      if (states_come) see_states();
      before->step(now, view(), out);
    }
  }
  Model heavy = model;
};

TEST_F(ReplacementTest, DoesNotStepTorqueInCycleOfDeactivation) {
  const VectorXd last = out.torque;
  TorqueController next(heavy);
  next.continue_from(controller);
  now += kMillisecond;
  see_states();
  active = false;
  next.step(now, view(), out);
  ASSERT_EQ(out.phase, Phase::kRampingDown);
  EXPECT_LE((out.torque - last).cwiseAbs().maxCoeff(), last.cwiseAbs().maxCoeff() / 290.0)
      << "the new payload of 9 kg must not change the torque of the ramp";
}

TEST_F(ReplacementTest, DoesNotProlongRampDownWhenRepeated) {
  active = false;
  run_with_replacements(302, true);
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(ReplacementTest, DoesNotProlongFallbackToZeroWhenRepeated) {
  run_with_replacements(101, false);
  EXPECT_FALSE(out.torque.isZero(0.0));
  repeat(400, [&] { cycle(); });
  run_with_replacements(100 + 302, false);
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(out.torque.isZero(0.0));
}

/// A regression test: descriptions at 20 Hz moved a held pendulum, because each replacement froze
/// the torque and ramped the feedback again.
TEST_F(ReplacementTest, KeepsFeedbackActiveWhenRepeated) {
  settings.config.torque_mode = TorqueMode::kComputedTorque;
  repeat(400, [&] { cycle(); });
  auto exchanged = std::make_unique<TorqueController>(model);
  exchanged->continue_from(controller);
  ControlOutput others = out;
  const VectorXd start = states.q;
  double largest = 0.0, off = 0.0;
  for (int i = 0; i < 1000; ++i) {
    if (i % 50 == 0) {
      auto next = std::make_unique<TorqueController>(model);
      next->continue_from(*exchanged);
      exchanged = std::move(next);
    }
    states.q =
        start + VectorXd::Constant(7, 0.1 * (1.0 - std::cos(0.01 * i)));  // pushed back and forth
    states.v = VectorXd::Constant(7, std::sin(0.01 * i));
    cycle();
    exchanged->step(now, view(), others);
    largest = std::max(largest, (out.torque - gravity_torque(model, data, states.q)).norm());
    off = std::max(off, (others.torque - out.torque).norm());
  }
  ASSERT_GT(largest, 10.0);
  // A replacement delays the change of torque of one cycle by ramp_s. This is one cycle in fifty,
  // and six replacements overlap. A frozen torque would differ by more than half.
  EXPECT_LT(off, 0.15 * largest);
}

/// A robot with other joints, to step within a test of the arm.
class Pendulum : public TorqueControllerTest {
 public:
  Pendulum() : TorqueControllerTest(load_urdf_file(shipped_urdf("double_pendulum"))) {}
  void TestBody() override {}
  using TorqueControllerTest::activation;
  using TorqueControllerTest::controller;
  using TorqueControllerTest::cycle;
  using TorqueControllerTest::out;
};

TEST_F(ReplacementTest, KeepsLatchedFaultsWithOtherJoints) {
  activation = 1;
  cycle();
  settings.config.fallback = Fallback::kStop;
  repeat(600, [&] { silent_cycle(); });
  ASSERT_EQ(out.phase, Phase::kStopped);
  Pendulum other;
  ASSERT_FALSE(other.controller.coordinates().same_as(controller.coordinates()));
  other.controller.continue_from(controller);
  other.activation = 1;
  repeat(10, [&] { other.cycle(); });
  EXPECT_EQ(other.out.phase, Phase::kStopped);
  other.activation = 3;
  other.cycle();
  EXPECT_EQ(other.out.phase, Phase::kRunning);
}

// ---- what the hardware adds ---------------------------------------------------------------------

class HardwareTest : public TorqueControllerTest {
 protected:
  HardwareTest() { states.v = random_vector(random, 7); }
};

/// The acceleration is that of the reference, no matter whether controller or hardware adds a term.
TEST_F(HardwareTest, AccelerationIncludesTorqueOfHardware) {
  for (const auto part : {&HardwareCompensation::gravity, &HardwareCompensation::coriolis,
                          &HardwareCompensation::friction}) {
    settings.config.compensated_by_hardware = {};
    settings.config.compensated_by_hardware.*part = true;
    repeat(301, [&] { cycle(); });
    ASSERT_TRUE(out.send_acceleration);
    EXPECT_LT(out.acceleration.cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST_F(HardwareTest, CoriolisTorqueOfHardwareActsInGravityCompensation) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  settings.config.compensated_by_hardware.coriolis = true;
  cycle();
  const VectorXd weight = gravity_torque(model, data, states.q);
  EXPECT_LT((out.torque - weight).cwiseAbs().maxCoeff(), 1e-9);
  const VectorXd coriolis = bias_torque(model, data, states.q, states.v) - weight;
  const VectorXd effort = weight + coriolis;
  const VectorXd expected = forward_dynamics(model, data, states.q, states.v, effort);
  EXPECT_LT((out.acceleration - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.norm());
}

TEST_F(TransitionTest, FallbackDoesNotStepWhenStatesReturnElsewhere) {
  settings.config.fallback = Fallback::kGravityOnly;
  settings.config.gravity_only_s = 100.0;
  settings.config.on_reference_timeout = ReferenceTimeout::kFallback;
  resolve();
  cycle();
  set_reference(states.q, VectorXd::Zero(7), VectorXd::Zero(7));
  repeat(900, [&] { cycle(); });  // the reference times out
  ASSERT_EQ(out.phase, Phase::kFallback);
  const VectorXd here = states.q, there = here + VectorXd::Constant(7, 0.3);
  const VectorXd at_here = gravity_torque(model, data, here);
  const VectorXd at_there = gravity_torque(model, data, there);
  const double largest_step = (at_there - at_here).cwiseAbs().maxCoeff() / 290.0;  // 0.3 s at 1 kHz
  const auto expect_ramp = [&](const VectorXd& end) {
    VectorXd before = out.torque;
    for (int i = 0; i < 302; ++i) {
      cycle();
      ASSERT_LE((out.torque - before).cwiseAbs().maxCoeff(), largest_step) << i;
      before = out.torque;
    }
    EXPECT_LE((out.torque - end).norm(), 1e-9);
  };
  repeat(150, [&] { silent_cycle(); });  // states are stale
  ASSERT_TRUE(has(out.faults, Fault::kStaleState));
  states.q = there;
  expect_ramp(at_there);
  now += 1000 * kMillisecond;  // the process stood still
  states.q = here;
  cycle();  // a ramp advances by at most 0.1 s after a pause
  EXPECT_LE((out.torque - at_there).cwiseAbs().maxCoeff(), 290.0 * largest_step / 2.9);
  expect_ramp(at_here);
}

}  // namespace
}  // namespace spatial_dynamics::test
