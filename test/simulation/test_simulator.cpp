#include "spatial_dynamics/simulation/simulator.hpp"

#include <cmath>
#include <limits>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

Model arm7() { return load_urdf_file(shipped_urdf("arm7")); }

/// A bent pose within arm7's limits.
VectorXd bent(const Model& model) {
  VectorXd q = VectorXd::Constant(model.nq(), 0.3);
  q(3) = -1.5;
  q(5) = 1.5;
  return q;
}

/// A free ball of 2 kg.
Model ball() {
  BuildOptions options;
  options.floating_base = true;
  return ModelBuilder("ball")
      .add_link("ball", {2.0, Vector3::Zero(), 0.1 * Matrix3::Identity()})
      .build(options);
}

void run(Simulator& simulator, const VectorXd& effort, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulator.step(1e-3, effort));
}

TEST(Simulator, IntegratorsHaveTheNamesOfTheirParameter) {
  EXPECT_STREQ(to_string(Integrator::kSemiImplicit), "semi_implicit");
  EXPECT_STREQ(to_string(Integrator::kRk4), "rk4");
}

TEST(Simulator, StartsAtRestInTheNeutralConfiguration) {
  const Simulator simulator(ball());
  EXPECT_EQ(simulator.q(), neutral_configuration(simulator.model()));
  EXPECT_EQ(simulator.v(), VectorXd::Zero(6).eval());
  EXPECT_EQ(simulator.measured().q, simulator.q());
  EXPECT_EQ(simulator.time_s(), 0.0);
}

TEST(Simulator, StaysAtRestUnderGravityTorque) {
  Simulator simulator(arm7());
  const VectorXd q = bent(simulator.model());
  simulator.reset(q);
  textbook::Data data(simulator.model());
  for (int i = 0; i < 2000; ++i) {
    const VectorXd effort = gravity_torque(simulator.model(), data, simulator.measured().q);
    ASSERT_TRUE(simulator.step(1e-3, effort));
  }
  EXPECT_LT(largest(simulator.q() - q), 1e-9);
  EXPECT_NEAR(simulator.time_s(), 2.0, 1e-9);
}

TEST(Simulator, IsReproducibleBitForBit) {
  for (const Integrator integrator : {Integrator::kSemiImplicit, Integrator::kRk4}) {
    SimulatorOptions options;
    options.integrator = integrator;
    options.position_noise = 1e-3;
    options.velocity_noise = 1e-2;
    options.effort_noise = 0.1;
    options.delay_samples = 3;
    options.seed = 42;
    Simulator first(arm7(), options), second(arm7(), options);
    first.reset(bent(first.model()));
    const VectorXd effort = VectorXd::Constant(7, 2.0);
    run(first, effort, 137);
    first.reset(bent(first.model()));  // resets everything, including the noise
    second.reset(bent(second.model()));
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(first.step(1e-3, effort));
      ASSERT_TRUE(second.step(1e-3, effort));
      ASSERT_EQ(first.q(), second.q());
      ASSERT_EQ(first.v(), second.v());
      ASSERT_EQ(first.measured().q, second.measured().q);
      ASSERT_EQ(first.measured().v, second.measured().v);
      ASSERT_EQ(first.measured().effort, second.measured().effort);
    }
  }
}

TEST(Simulator, AnotherSeedChangesOnlyTheMeasurements) {
  SimulatorOptions options;
  options.position_noise = 1e-3;
  Simulator first(arm7(), options);
  options.seed = 2;
  Simulator second(arm7(), options);
  run(first, VectorXd::Ones(7), 10);
  run(second, VectorXd::Ones(7), 10);
  EXPECT_EQ(first.q(), second.q());
  EXPECT_NE(first.measured().q, second.measured().q);
}

TEST(Simulator, RejectsWrongSizesAndLinks) {
  Simulator simulator(load_urdf_file(shipped_urdf("arm7")));
  EXPECT_FALSE(simulator.step(1e-3, VectorXd::Zero(6)));
  EXPECT_FALSE(simulator.step(1e-3, VectorXd::Zero(8)));
  EXPECT_TRUE(simulator.step(1e-3, VectorXd::Zero(7)));
  EXPECT_THROW(simulator.set_wrench(-1, Force::Zero()), std::invalid_argument);
  EXPECT_THROW(simulator.set_wrench(99, Force::Zero()), std::invalid_argument);
  EXPECT_THROW(simulator.set_payload(99, Inertia::Zero()), std::invalid_argument);
}

TEST(SensorDelay, ReturnsTheStateBeforeTheDelay) {
  constexpr int kDelay = 5;
  SimulatorOptions options;
  options.delay_samples = kDelay;
  Simulator simulator(arm7(), options);
  simulator.reset(bent(simulator.model()));
  std::vector<VectorXd> q{simulator.q()}, v{simulator.v()}, effort{VectorXd::Zero(7)};
  std::vector<double> time{0.0};
  for (std::size_t i = 1; i <= 50; ++i) {
    effort.push_back(VectorXd::Constant(7, static_cast<double>(i)));
    ASSERT_TRUE(simulator.step(1e-3, effort.back()));
    q.push_back(simulator.q());
    v.push_back(simulator.v());
    time.push_back(simulator.time_s());
    const std::size_t then = i > kDelay ? i - kDelay : 0;
    ASSERT_EQ(simulator.measured().q, q[then]);
    ASSERT_EQ(simulator.measured().v, v[then]);
    ASSERT_EQ(simulator.measured().effort, effort[then]);
    ASSERT_EQ(simulator.measured().time_s, time[then]);
  }
}

/// Mean and standard deviation.
struct Spread {
  explicit Spread(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    for (const double value : values) mean += value / n;
    for (const double value : values) deviation += (value - mean) * (value - mean) / n;
    deviation = std::sqrt(deviation);
  }
  double mean = 0.0, deviation = 0.0;
};

TEST(SensorNoise, HasNoBiasAndTheGivenDeviation) {
  SimulatorOptions options;
  options.substeps = 1;
  options.position_noise = 1e-3;
  options.velocity_noise = 2e-2;
  options.effort_noise = 0.5;
  Simulator simulator(load_urdf_file(shipped_urdf("double_pendulum")), options);
  std::vector<double> position, velocity, effort;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(simulator.step(1e-3, VectorXd::Zero(2)));
    const Measurement& measured = simulator.measured();
    for (Index k = 0; k < 2; ++k) {
      position.push_back((measured.q - simulator.q())(k));
      velocity.push_back((measured.v - simulator.v())(k));
      effort.push_back(measured.effort(k));
    }
  }
  // Standard errors of n samples: 1 / sqrt(n) for the mean, 1 / sqrt(2 n) for the deviation. Four
  // of them have a probability of 1e-4.
  const double n = 20'000.0;
  for (const auto& [values, deviation] :
       {std::pair{position, 1e-3}, std::pair{velocity, 2e-2}, std::pair{effort, 0.5}}) {
    const Spread spread(values);
    EXPECT_LT(std::abs(spread.mean), 4.0 * deviation / std::sqrt(n));
    EXPECT_NEAR(spread.deviation, deviation, 4.0 * deviation / std::sqrt(2.0 * n));
  }
}

TEST(SensorNoise, KeepsQuaternionsUnitAndGivesAFloatingBaseNoMotor) {
  SimulatorOptions options;
  options.position_noise = 0.1;
  options.effort_noise = 1.0;
  Simulator simulator(ball(), options);
  run(simulator, VectorXd::Zero(6), 10);
  const Measurement& measured = simulator.measured();
  EXPECT_NEAR(measured.q.tail<4>().norm(), 1.0, 1e-14);
  EXPECT_GT((measured.q - simulator.q()).tail<4>().norm(), 1e-3);
  EXPECT_EQ(measured.effort, VectorXd::Zero(6).eval());
}

TEST(FloatingBase, IsMovedByWrenchesAndNotByEfforts) {
  Simulator simulator(ball());
  simulator.set_gravity(Vector3::Zero());
  run(simulator, VectorXd::Constant(6, 100.0), 100);
  EXPECT_EQ(simulator.v(), VectorXd::Zero(6).eval());
  simulator.set_wrench(0, Force(Vector3::Zero(), Vector3(0.0, 0.0, 3.0)));
  run(simulator, VectorXd::Zero(6), 1000);
  EXPECT_NEAR(simulator.v()(5), 3.0 / 2.0, 1e-12);  // F t / m
  simulator.clear_wrenches();
  run(simulator, VectorXd::Zero(6), 1000);
  EXPECT_NEAR(simulator.v()(5), 3.0 / 2.0, 1e-12);
}

/// Friction and stops are internal forces: the momentum is m g t, even where rounding errors keep a
/// joint alternating between its stop and free motion.
TEST(FloatingBase, GainsMomentumOfGravityAloneWithJointsAtStops) {
  for (const Integrator integrator : {Integrator::kSemiImplicit, Integrator::kRk4}) {
    for (const char* name : {"gripper", "gantry", "arm6", "quadruped", "humanoid"}) {
      LoadOptions load;
      load.floating_base = true;
      SimulatorOptions options;
      options.integrator = integrator;
      Simulator simulator(load_urdf_file(shipped_urdf(name), load), options);
      const Model& model = simulator.model();
      run(simulator, VectorXd::Zero(model.nv()), 50);
      textbook::Data data(model);
      const Vector3 momentum =
          textbook::centroidal_momentum(model, data, simulator.q(), simulator.v()).force;
      const Vector3 expected = simulator.time_s() * model.total_mass() * model.gravity();
      EXPECT_LT((momentum - expected).norm(), 1e-9 * expected.norm()) << name;
    }
  }
}

TEST(Wrench, IsReplacedByTheNextOnTheSameLinkAndAddsToOthers) {
  BuildOptions build;
  build.floating_base = true;
  JointDescription weld;
  weld.name = "weld";
  weld.parent = "left";
  weld.child = "right";
  const MassProperties half{1.0, Vector3::Zero(), 0.1 * Matrix3::Identity()};
  Model model = ModelBuilder("two")
                    .add_link("left", half)
                    .add_link("right", half)
                    .add_joint(weld)
                    .build(build);
  Simulator simulator(model);
  simulator.set_gravity(Vector3::Zero());
  const Index left = model.find_link("left"), right = model.find_link("right");
  simulator.set_wrench(left, Force(Vector3::Zero(), Vector3(50.0, 0.0, 0.0)));
  simulator.set_wrench(left, Force(Vector3::Zero(), Vector3(1.0, 0.0, 0.0)));
  simulator.set_wrench(right, Force(Vector3::Zero(), Vector3(2.0, 0.0, 0.0)));
  run(simulator, VectorXd::Zero(6), 1000);
  EXPECT_NEAR(simulator.v()(3), 3.0 / 2.0, 1e-12);
}

TEST(Payload, MakesARobotHeavier) {
  Simulator simulator(ball());
  simulator.set_gravity(Vector3::Zero());
  simulator.set_payload(0, Inertia::from_com(4.0, Vector3::Zero(), 0.1 * Matrix3::Identity()));
  simulator.set_wrench(0, Force(Vector3::Zero(), Vector3(0.0, 0.0, 3.0)));
  run(simulator, VectorXd::Zero(6), 1000);
  EXPECT_NEAR(simulator.v()(5), 3.0 / 6.0, 1e-12);
}

TEST(Motor, IsLimitedOnRequest) {
  const Model model = arm7();
  const double limit = model.joint(model.coordinate_joints()[0]).limits.effort;
  ASSERT_TRUE(std::isfinite(limit));
  const VectorXd effort = VectorXd::Constant(7, -1e4);
  SimulatorOptions options;
  Simulator strong(model, options);
  ASSERT_TRUE(strong.step(1e-4, effort));
  EXPECT_EQ(strong.effort()(0), -1e4);
  options.saturate_effort = true;
  Simulator weak(model, options);
  ASSERT_TRUE(weak.step(1e-4, effort));
  EXPECT_EQ(weak.effort()(0), -limit);
  EXPECT_EQ(weak.measured().effort(0), -limit);
}

TEST(Pause, StopsTimeUntilResumed) {
  Simulator simulator(ball());
  run(simulator, VectorXd::Zero(6), 10);
  const VectorXd q = simulator.q();
  simulator.pause();
  EXPECT_TRUE(simulator.paused());
  run(simulator, VectorXd::Zero(6), 10);
  EXPECT_EQ(simulator.q(), q);
  EXPECT_NEAR(simulator.time_s(), 0.01, 1e-15);
  simulator.resume();
  run(simulator, VectorXd::Zero(6), 1);
  EXPECT_NE(simulator.q(), q);
}

TEST(BadInput, IsRejectedAndChangesNothing) {
  Simulator simulator(arm7());
  simulator.reset(bent(simulator.model()));
  run(simulator, VectorXd::Ones(7), 10);
  const VectorXd q = simulator.q(), v = simulator.v(), effort = simulator.effort();
  const double time = simulator.time_s();
  VectorXd bad = VectorXd::Zero(7);
  for (const double number : {std::nan(""), kUnlimited}) {
    bad(3) = number;
    EXPECT_FALSE(simulator.step(1e-3, bad)) << number;
  }
  for (const double dt : {0.0, -1e-3, std::nan(""), kUnlimited}) {
    EXPECT_FALSE(simulator.step(dt, effort)) << dt;
  }
  EXPECT_THROW(simulator.reset(VectorXd::Zero(6)), std::invalid_argument);
  EXPECT_THROW(simulator.reset(VectorXd::Constant(7, std::nan(""))), std::invalid_argument);
  EXPECT_EQ(simulator.q(), q);
  EXPECT_EQ(simulator.v(), v);
  EXPECT_EQ(simulator.effort(), effort);
  EXPECT_EQ(simulator.time_s(), time);
  EXPECT_TRUE(simulator.step(1e-3, effort));
}

TEST(Overflow, IsReportedAndChangesNothing) {
  SimulatorOptions options;
  options.joint_stops = false;
  Simulator simulator(arm7(), options);
  const VectorXd q = simulator.q();
  EXPECT_FALSE(simulator.step(1e-3, VectorXd::Constant(7, 1e300)));
  EXPECT_EQ(simulator.q(), q);
  EXPECT_EQ(simulator.v(), VectorXd::Zero(7).eval());
  EXPECT_TRUE(simulator.step(1e-3, VectorXd::Zero(7)));
}

TEST(BadOptions, AreRejected) {
  SimulatorOptions options;
  options.substeps = 0;
  EXPECT_THROW(Simulator(ball(), options), std::invalid_argument);
  options = {};
  options.delay_samples = -1;
  EXPECT_THROW(Simulator(ball(), options), std::invalid_argument);
  options = {};
  options.velocity_noise = std::nan("");
  EXPECT_THROW(Simulator(ball(), options), std::invalid_argument);
}

TEST(SingularModel, IsRejectedWithTheReason) {
  JointDescription hinge;
  hinge.name = "hinge";
  hinge.type = JointType::kContinuous;
  hinge.parent = "base";
  hinge.child = "ghost";
  const Model model =
      ModelBuilder("ghost").add_link("base").add_link("ghost").add_joint(hinge).build();
  try {
    const Simulator simulator(model);
    FAIL() << "a massless link was simulated";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("ghost"), std::string::npos);
  }
}

TEST(SimulatorThread, AllocatesNothing) {
  SimulatorOptions options;
  options.position_noise = options.velocity_noise = options.effort_noise = 1e-3;
  options.delay_samples = 4;
  for (const bool floating : {false, true}) {
    LoadOptions load;
    load.floating_base = floating;
    for (const char* const name : {"arm7", "gripper"}) {
      Simulator simulator(load_urdf_file(shipped_urdf(name), load), options);
      const VectorXd effort = VectorXd::Ones(simulator.model().nv());
      const VectorXd q = simulator.q();
      const HeapWatch watch;
      run(simulator, effort, 20);
      simulator.set_wrench(0, Force::Zero());
      simulator.clear_wrenches();
      EXPECT_TRUE(std::isfinite(simulator.energy()));
      simulator.reset(q);
      EXPECT_EQ(watch.count(), 0u);
    }
  }
}

TEST(Energy, IsKineticAndPotential) {
  Simulator simulator(ball());
  VectorXd q = neutral_configuration(simulator.model());
  q(2) = 3.0;
  simulator.reset(q, VectorXd::Unit(6, 5));
  EXPECT_NEAR(simulator.energy(), 2.0 * 9.80665 * 3.0 + 0.5 * 2.0, 1e-12);
}

TEST(Simulator, DrivenJointMovesAtItsVelocityAndTheOthersByTheirEfforts) {
  Simulator simulator(arm7());
  simulator.reset(bent(simulator.model()));
  simulator.prescribe_velocity(1, 0.2);
  simulator.prescribe_velocity(3, 0.0);
  const VectorXd before = simulator.q();
  run(simulator, VectorXd::Zero(7), 100);
  EXPECT_NEAR(simulator.q()(1), before(1) + 0.02, 1e-12);
  EXPECT_EQ(simulator.v()(1), 0.2);
  EXPECT_EQ(simulator.q()(3), before(3));
  EXPECT_GT(std::abs(simulator.q()(5) - before(5)), 1e-3);  // falls
  simulator.prescribe_velocity(3, std::numeric_limits<double>::quiet_NaN());
  run(simulator, VectorXd::Zero(7), 10);
  EXPECT_GT(std::abs(simulator.q()(3) - before(3)), 1e-6);
}

// The same motion from the efforts that the drives report, step by step: one substep, because an
// effort is constant over a step.
TEST(Simulator, EffortOfDriveCausesTheSameMotion) {
  SimulatorOptions options;
  options.substeps = 1;
  for (const Integrator integrator : {Integrator::kSemiImplicit, Integrator::kRk4}) {
    options.integrator = integrator;
    Simulator driven(arm7(), options);
    options.integrator = Integrator::kSemiImplicit;
    Simulator free(arm7(), options);
    driven.reset(bent(driven.model()));
    free.reset(bent(free.model()));
    VectorXd effort = VectorXd::Constant(7, 0.5);
    for (int i = 0; i < 200; ++i) {
      for (const Index k : {1, 2, 4}) {
        driven.prescribe_velocity(k, 0.3 * std::sin(0.01 * i + static_cast<double>(k)));
      }
      ASSERT_TRUE(driven.step(1e-3, effort));
      ASSERT_TRUE(free.step(1e-3, driven.effort()));
      ASSERT_LT(largest(driven.v() - free.v()), 1e-6);  // the friction's iteration settles at 1e-6
      ASSERT_EQ(driven.effort()(0), 0.5);
    }
    EXPECT_LT(largest(driven.q() - free.q()), 1e-6);
  }
}

TEST(Simulator, HeldRobotReportsTheTorqueOfGravity) {
  Simulator simulator(arm7());
  simulator.reset(bent(simulator.model()));
  for (Index k = 0; k < 7; ++k) simulator.prescribe_velocity(k, 0.0);
  run(simulator, VectorXd::Constant(7, 5.0), 3);
  textbook::Data data(simulator.model());
  EXPECT_EQ(simulator.q(), bent(simulator.model()));
  const VectorXd gravity = gravity_torque(simulator.model(), data, simulator.q());
  EXPECT_LT(largest(simulator.effort() - gravity), 1e-9);
  EXPECT_EQ(simulator.measured().a, VectorXd::Zero(7).eval());
}

TEST(Simulator, DriveDoesNotPassAStop) {
  Simulator simulator(arm7());
  simulator.prescribe_velocity(1, 5.0);
  const double stop = simulator.model().joint(2).limits.upper;
  run(simulator, VectorXd::Zero(7), 1000);
  EXPECT_NEAR(simulator.q()(1), stop, 1e-9);
  EXPECT_EQ(simulator.v()(1), 0.0);
}

TEST(Simulator, MeasuredAccelerationIsTheChangeOfVelocity) {
  Simulator simulator(arm7());
  simulator.reset(bent(simulator.model()));
  run(simulator, VectorXd::Zero(7), 5);
  const VectorXd before = simulator.v();
  run(simulator, VectorXd::Zero(7), 1);
  EXPECT_LT(largest(simulator.measured().a - (simulator.v() - before) / 1e-3), 1e-9);
}

}  // namespace
}  // namespace spatial_dynamics::test
