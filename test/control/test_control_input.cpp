#include "spatial_dynamics/control/control_input.hpp"

#include <cmath>
#include <limits>

#include "control/controller_harness.hpp"
#include "fuzz/robots.hpp"
#include "support/constants.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

/// The controller as an embedding program uses it, with one input and one output.
class EmbeddedTest : public ::testing::Test {
 protected:
  void start(const ControlSettings& settings) {
    controller = TorqueController(model, settings);
    in = controller.make_input();
    out = controller.make_output();
  }
  void cycle() {
    now += kMillisecond;
    in.set_state(now, q, v);
    controller.step(now, in, out);
  }
  void settle() {
    for (int i = 0; i < 302; ++i) cycle();
  }

  Random random{5};
  Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data{model};
  // Within the position limits.
  VectorXd q = (VectorXd(7) << 0.3, -0.5, 0.7, -1.4, 0.2, 1.1, -0.6).finished(),
           v = VectorXd::Zero(7);
  TorqueController controller{model};
  ControlInput in = controller.make_input();
  ControlOutput out = controller.make_output();
  std::int64_t now = 1000 * kMillisecond;
};

TEST_F(EmbeddedTest, StateAloneGivesTorqueOfMode) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kGravityCompensation;
  start(settings);
  cycle();
  ASSERT_TRUE(out.send_torque);
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_EQ(out.faults, 0u);
  EXPECT_LE((out.torque - gravity_torque(model, data, q)).norm(), 1e-9);
}

TEST_F(EmbeddedTest, StateWithoutEffortClearsHasEffort) {
  in.set_state(now, q, v, VectorXd(VectorXd::Ones(7)));
  EXPECT_EQ(in.states.has_effort, std::vector<std::uint8_t>(7, 1));
  in.set_state(now, q, v);
  EXPECT_EQ(in.states.has_effort, std::vector<std::uint8_t>(7, 0));
}

TEST_F(EmbeddedTest, UsesGravityOfModelUntilSet) {
  LoadOptions options;
  options.gravity = Vector3(0.0, 0.0, -1.6);
  model = load_urdf_file(shipped_urdf("arm7"), options);
  start({});
  cycle();
  EXPECT_LE((out.torque - gravity_torque(model, data, q)).norm(), 1e-9);
  in.set_gravity(Vector3(0.0, 1.0, -1.0));
  settle();
  model.set_gravity(Vector3(0.0, 1.0, -1.0));
  EXPECT_LE((out.torque - gravity_torque(model, data, q)).norm(), 1e-9);
}

TEST_F(EmbeddedTest, TracksSetpointUntilTimeout) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  start(settings);
  cycle();
  const VectorXd goal = q + VectorXd::Constant(7, 0.02), zero = VectorXd::Zero(7);
  in.set_reference(now, goal, zero, zero);
  cycle();
  EXPECT_NEAR(out.position_error(4), 0.02, 1e-12);
  EXPECT_FALSE(has(out.faults, Fault::kStaleReference));
  for (int i = 0; i < 500; ++i) cycle();
  EXPECT_TRUE(has(out.faults, Fault::kStaleReference));
}

TEST_F(EmbeddedTest, CompensatesPayloadsAndWrenches) {
  const Index hand = model.link_count() - 1;
  const Inertia load = Inertia::from_com(1.0, {0, 0, 0.1}, 0.001 * Matrix3::Identity());
  const Force push(Vector3(0.1, 0.2, 0.3), Vector3(3, 2, 1));
  cycle();
  in.set_payload(hand, load);
  settle();
  in.set_wrench(now + 400 * kMillisecond, hand, push);
  settle();
  model.set_payload(hand, load);
  ExternalForces forces(model);
  forces.add(model, hand, push);
  const VectorXd zero = VectorXd::Zero(7);
  EXPECT_LE((out.torque - inverse_dynamics(model, data, q, zero, zero, forces)).norm(), 1e-9);
}

TEST_F(EmbeddedTest, RampsToZeroWithoutStates) {
  cycle();
  for (int i = 0; i < 402; ++i) {
    now += kMillisecond;
    controller.step(now, in, out);
  }
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(has(out.faults, Fault::kStaleState));
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(EmbeddedTest, NewSettingsRampTorque) {
  cycle();
  const VectorXd before = out.torque;
  ControlSettings settings;
  settings.compensated_by_hardware.gravity = true;
  controller.set_settings(settings);
  cycle();
  EXPECT_LE((out.torque - before).cwiseAbs().maxCoeff(), before.cwiseAbs().maxCoeff() / 290.0);
  settle();
  EXPECT_TRUE(out.torque.isZero(1e-9));
}

TEST_F(EmbeddedTest, RejectsInvalidSettingsWithOneSentence) {
  const auto rejection_of = [&](const ControlSettings& settings) -> std::string {
    try {
      controller.set_settings(settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  ControlSettings settings;
  settings.kp = {1.0, 2.0};
  EXPECT_NE(rejection_of(settings).find("'gains.kp' has 2 values"), std::string::npos);
  settings = {};
  settings.state_timeout_s = 0.0;
  EXPECT_NE(rejection_of(settings).find("'state_timeout_s' is 0"), std::string::npos);
  settings = {};
  settings.effort_limits = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(rejection_of(settings).find("'effort_limits'"), std::string::npos);
  settings = {};
  settings.torque_mode = static_cast<TorqueMode>(77);
  EXPECT_NE(rejection_of(settings).find("'torque_mode'"), std::string::npos);
  settings = {};
  settings.fallback = static_cast<Fallback>(9);
  EXPECT_NE(rejection_of(settings).find("'fallback'"), std::string::npos);
  settings = {};
  settings.ramp_s = 0.0;
  EXPECT_NE(rejection_of(settings).find("'ramp_s' is 0, but must be between 0.01 and 10"),
            std::string::npos);
  settings = {};
  settings.command_joints = {model.joint_names()[0], model.joint_names()[0]};
  EXPECT_NE(rejection_of(settings).find("twice"), std::string::npos);
  settings = {};
  settings.effort_limits = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(TorqueController(model, settings), std::invalid_argument);
}

TEST_F(EmbeddedTest, SetpointReplacesTrajectoriesWithoutFreeingMemory) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  start(settings);
  JointReference trajectory;
  trajectory.generation = 1;
  trajectory.received = trajectory.start = now;
  trajectory.has_position = trajectory.has_effort = true;
  trajectory.knots = std::vector<Knot>{{0.0, 1.0, 0.0, 0.0, 9.0}, {9.0, 2.0, 0.0, 0.0, 9.0}};
  JointReference later = trajectory;
  later.generation = 2;
  later.start = now + 10 * kMillisecond;
  for (JointReference& reference : in.references.joints) {
    reference = trajectory;
    reference.later = {later};
  }
  cycle();
  const VectorXd zero = VectorXd::Zero(7);
  const HeapWatch watch;
  in.set_reference(now, q, zero, zero);
  EXPECT_EQ(watch.count(), 0u);
  for (int i = 0; i < 400; ++i) cycle();
  EXPECT_LE((out.torque - gravity_torque(model, data, q)).norm(), 1e-9);
  EXPECT_TRUE(out.position_error.isZero(1e-12));
}

TEST_F(EmbeddedTest, SetpointBeyondTheLimitsIsClippedAndCounted) {
  const VectorXd zero = VectorXd::Zero(7), far = VectorXd::Constant(7, 9.0);
  in.set_reference(now, far, zero, zero);
  EXPECT_EQ(in.references.joints[0].setpoint.position, model.joint(1).limits.upper);
  EXPECT_EQ(in.clipped, 7u);
}

TEST_F(EmbeddedTest, StiffnessThatIsNotFiniteOrOfAWrongSizeChangesNothing) {
  const Coordinates& coordinates = controller.coordinates();
  in.set_stiffness(coordinates, VectorXd::Constant(7, 30.0).eval());
  EXPECT_EQ(in.stiffness.stiffness, VectorXd::Constant(7, 30.0));
  const VectorXd short_one = VectorXd::Zero(6), bad = VectorXd::Constant(7, kNaN);
  in.set_stiffness(coordinates, short_one);
  in.set_stiffness(coordinates, bad);
  EXPECT_EQ(in.stiffness.stiffness, VectorXd::Constant(7, 30.0));
  EXPECT_EQ(in.rejected, 2u);
}

TEST_F(EmbeddedTest, SetpointReplacesStartedLaterTrajectory) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  start(settings);
  cycle();
  for (std::size_t k = 0; k < 7; ++k) {
    const double goal = q(static_cast<Index>(k));
    JointReference& first = in.references.joints[k];
    first = full_reference(1, now, false, {{0.5, goal, 0.0, 0.0, 0.0}});
    for (const std::uint64_t generation : {2u, 3u}) {
      first.later.push_back(full_reference(generation, now, false, {{0.01, goal, 0.0, 0.0, 0.0}}));
    }
  }
  for (int i = 0; i < 20; ++i) cycle();
  const VectorXd goal = q + VectorXd::Constant(7, 0.02), zero = VectorXd::Zero(7);
  in.set_reference(now, goal, zero, zero);
  cycle();
  EXPECT_NEAR(out.position_error(4), 0.02, 1e-12);
  for (int i = 0; i < 501; ++i) cycle();
  ASSERT_TRUE(has(out.faults, Fault::kStaleReference));
  in.set_reference(now, q, zero, zero);
  cycle();
  EXPECT_FALSE(has(out.faults, Fault::kStaleReference)) << "a new setpoint is followed";
  EXPECT_NEAR(out.position_error(4), 0.0, 1e-12);
}

TEST_F(EmbeddedTest, OutageDiscardsSetpointAfterLaterTrajectory) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  start(settings);
  cycle();
  for (std::size_t k = 0; k < 7; ++k) {
    JointReference& first = in.references.joints[k];
    first.later.push_back(
        full_reference(1, now, false, {{9.0, q(static_cast<Index>(k)), 0.0, 0.0, 0.0}}));
    first.later.back().start = now + kNanosecondsPerSecond;
  }
  const VectorXd goal = q + VectorXd::Constant(7, 0.02), zero = VectorXd::Zero(7);
  for (int i = 0; i < 2; ++i) {
    in.set_reference(now, goal, zero, zero);
    cycle();
  }
  ASSERT_NEAR(out.position_error(4), 0.02, 1e-12);
  now += 200 * kMillisecond;  // longer than state_timeout_s, shorter than reference_timeout_s
  cycle();
  EXPECT_TRUE(out.position_error.isZero(1e-12)) << "the present position is held";
}

TEST_F(EmbeddedTest, TimesOfAnotherClockAreNotFresh) {
  const Index hand = model.link_count() - 1;
  cycle();
  const VectorXd before = out.torque;
  in.set_wrench(now + 3600 * kNanosecondsPerSecond, hand,
                Force(Vector3(1, 2, 3), Vector3(4, 5, 6)));
  settle();
  EXPECT_LE((out.torque - before).norm(), 1e-12);
  EXPECT_TRUE(has(out.faults, Fault::kStaleWrench));
  ControlSettings settings;
  settings.effort_source = EffortSource::kCommand;
  start(settings);
  in.effort_command.received.assign(7, now + 3600 * kNanosecondsPerSecond);
  cycle();
  EXPECT_TRUE(has(out.faults, Fault::kStaleCommand));
  EXPECT_FALSE(out.send_acceleration);
}

TEST_F(EmbeddedTest, ZeroPayloadRemovesPayloadOfModel) {
  const Index hand = model.link_count() - 1;
  const VectorXd unloaded = gravity_torque(model, data, q);
  model.set_payload(hand, Inertia::from_com(1.5, {0, 0, 0.1}, 0.001 * Matrix3::Identity()));
  start({});
  cycle();
  EXPECT_LE((out.torque - gravity_torque(model, data, q)).norm(), 1e-9);
  EXPECT_GT((out.torque - unloaded).norm(), 0.1);
  in.set_payload(hand, Inertia::Zero());
  settle();
  EXPECT_LE((out.torque - unloaded).norm(), 1e-9);
}

TEST_F(EmbeddedTest, SettersAndStepsDoNotAllocate) {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  start(settings);
  const VectorXd zero = VectorXd::Zero(7);
  const HeapWatch watch;
  for (int i = 0; i < 100; ++i) {
    in.set_reference(now, q, zero, zero);
    in.set_wrench(now, 3, Force::Zero());
    in.set_payload(3, Inertia::Zero());
    in.set_gravity(kStandardGravity);
    cycle();
  }
  EXPECT_EQ(watch.count(), 0u);
}

/// The joints of fuzz::kFinger: turn is continuous, bend is within 2 rad, slide from 0 to 0.2 m.
class PositionLimitsTest : public ::testing::Test {
 protected:
  Knot clipped(std::size_t k, double position) {
    Knot knot{0.5, position, 1.0, 2.0, 3.0};
    is_clipped = limits.clip(k, knot);
    return knot;
  }
  Model model = load_urdf(fuzz::kFinger);
  PositionLimits limits{model, Coordinates(model)};
  bool is_clipped = false;
};

TEST_F(PositionLimitsTest, PositionBeyondALimitIsClippedAndComesToRest) {
  const Knot knot = clipped(1, 2.5);
  EXPECT_TRUE(is_clipped);
  EXPECT_EQ(knot.position, 2.0);
  EXPECT_EQ(knot.velocity, 0.0);
  EXPECT_EQ(knot.acceleration, 0.0);
  EXPECT_EQ(knot.effort, 3.0);
  EXPECT_EQ(knot.time_s, 0.5);
  EXPECT_EQ(clipped(2, -0.1).position, 0.0);
}

TEST_F(PositionLimitsTest, PositionWithinTheLimitsStays) {
  EXPECT_EQ(clipped(1, 2.0).velocity, 1.0);
  EXPECT_FALSE(is_clipped);
  EXPECT_EQ(clipped(0, 50.0).position, 50.0) << "continuous";
  EXPECT_FALSE(is_clipped);
  EXPECT_TRUE(std::isnan(clipped(1, kNaN).position));
  EXPECT_FALSE(is_clipped);
}

}  // namespace
}  // namespace spatial_dynamics::test
