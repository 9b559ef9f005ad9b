#include "simulation/motion_stepper.hpp"

#include <cmath>

#include "spatial_dynamics/textbook/energy.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr Integrator kBoth[] = {Integrator::kSemiImplicit, Integrator::kRk4};

/// The motion of a robot with one integrator.
struct MovingRobot {
  MovingRobot(const Model& robot, Integrator integrator, const VectorXd& q_start,
              const VectorXd& v_start)
      : model(robot),
        stepper(robot, integrator, true),
        data(robot),
        external(robot),
        q(q_start),
        v(v_start),
        effort(VectorXd::Zero(robot.nv())) {}

  [[nodiscard]] bool go(double duration, double h) {
    const auto steps = std::lround(duration / h);
    for (long i = 0; i < steps; ++i) {
      if (!stepper.step(model, q, v, effort, external, h)) return false;
    }
    return true;
  }
  double energy() { return kinetic_energy(model, data, q, v) + potential_energy(model, data, q); }

  const Model& model;
  MotionStepper stepper;
  textbook::Data data;
  ExternalForces external;
  VectorXd q, v, effort;
};

// ---- conservative motion ----

/// A pendulum of several rods on hinges about y, each of `mass` kg and half a metre.
Model chain(int rods, const JointDescription& like = {}, double mass = 1.0) {
  ModelBuilder builder("chain");
  builder.add_link("rod0");
  for (int i = 1; i <= rods; ++i) {
    const std::string name = "rod" + std::to_string(i);
    builder.add_link(name, {mass, {0, 0, -0.25}, mass * 0.02 * Matrix3::Identity()});
    JointDescription joint = like;
    joint.name = "hinge" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.parent = "rod" + std::to_string(i - 1);
    joint.child = name;
    joint.axis = Vector3::UnitY();
    if (i > 1) joint.origin = Transform::translation({0, 0, -0.5});
    builder.add_joint(joint);
  }
  return builder.build();
}

/// The error of an integrator with steps of h after a quarter of a second.
double error(const Model& model, Integrator integrator, const VectorXd& q, const VectorXd& v,
             const MovingRobot& exact, double h) {
  MovingRobot motion(model, integrator, q, v);
  EXPECT_TRUE(motion.go(0.25, h));
  VectorXd distance(model.nv());
  difference(model, exact.q, motion.q, distance);
  return std::hypot(distance.norm(), (exact.v - motion.v).norm());
}

/// The order of the error in h, measured where it first is below `small`: there, neither higher
/// orders nor rounding errors matter.
double order(const Model& model, Integrator integrator, const VectorXd& q, const VectorXd& v,
             double small) {
  constexpr double kShortest = 0.25 / 4096;
  MovingRobot exact(model, Integrator::kRk4, q, v);
  EXPECT_TRUE(exact.go(0.25, kShortest));
  double h = 0.25 / 8;
  double previous = error(model, integrator, q, v, exact, h);
  while (previous > small && h > 8 * kShortest) {
    h /= 2;
    previous = error(model, integrator, q, v, exact, h);
  }
  return std::log2(previous / error(model, integrator, q, v, exact, h / 2));
}

class FreeMotion : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, FreeMotion, ::testing::ValuesIn(free_robots()), robot_name);

TEST_P(FreeMotion, IsFourthOrderByRungeKuttaAlsoForFloatingBases) {
  const State state = random_state();
  EXPECT_NEAR(order(model, Integrator::kRk4, state.q, state.v, 1e-6), 4.0, 0.3);
}

TEST_P(FreeMotion, IsFirstOrderByTheSemiImplicitMethod) {
  const State state = random_state();
  EXPECT_NEAR(order(model, Integrator::kSemiImplicit, state.q, state.v, 1e-2), 1.0, 0.2);
}

TEST(Conservation, SemiImplicitIsBoundedAndRungeKuttaDriftsLess) {
  const Model model = chain(2);
  const VectorXd q = (VectorXd(2) << 1.5, 0.5).finished();
  double worst[2], most_kinetic = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    MovingRobot motion(model, kBoth[i], q, VectorXd::Zero(2));
    const double start = motion.energy();
    double early = 0.0, late = 0.0;
    for (int second = 0; second < 20; ++second) {
      for (int k = 0; k < 1000; ++k) {
        ASSERT_TRUE(motion.go(1e-3, 1e-3));
        double& half = second < 10 ? early : late;
        half = std::max(half, std::abs(motion.energy() - start));
        most_kinetic =
            std::max(most_kinetic, kinetic_energy(model, motion.data, motion.q, motion.v));
      }
    }
    worst[i] = std::max(early, late);
    if (kBoth[i] == Integrator::kSemiImplicit) {
      EXPECT_LT(late, 2.0 * early);
    }
  }
  EXPECT_LT(worst[1], 1e-3 * worst[0]);
  EXPECT_LT(worst[0], 0.1 * most_kinetic);
}

TEST(FreeFall, OfAFloatingBaseIsAParabola) {
  BuildOptions options;
  options.floating_base = true;
  const Model model = ModelBuilder("ball")
                          .add_link("ball", {2.0, {0.1, 0.2, 0.3}, 0.1 * Matrix3::Identity()})
                          .build(options);
  const double h = 1e-3, t = 1.0, g = -kStandardGravity.z();
  VectorXd v = VectorXd::Zero(6);
  v.tail<3>() << 1.0, 2.0, 3.0;
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, neutral_configuration(model), v);
    ASSERT_TRUE(motion.go(t, h));
    // The semi-implicit method moves each step with its last velocity: half a step ahead on a
    // parabola.
    const double t_fall = integrator == Integrator::kRk4 ? t * t : t * (t + h);
    const Vector3 expected(1.0 * t, 2.0 * t, 3.0 * t - 0.5 * g * t_fall);
    // Rounding errors of 1000 steps with positions and velocities of up to 10.
    EXPECT_LT(largest(motion.q.head<3>() - expected), 1000 * 10 * kEpsilon);
    EXPECT_LT(std::abs(motion.v(5) - (3.0 - g * t)), 1000 * 10 * kEpsilon);
    EXPECT_LT(largest(motion.q.tail<4>() - neutral_configuration(model).tail<4>()), 1e-12);
  }
}

// ---- friction ----

TEST(Damping, IsFourthOrderByRungeKutta) {
  JointDescription damped;
  damped.damping = 0.3;
  const VectorXd q = Eigen::Vector2d(1.5, 0.5);
  EXPECT_NEAR(order(chain(2, damped), Integrator::kRk4, q, VectorXd::Ones(2), 1e-6), 4.0, 0.3);
}

TEST(Damping, StopsAJointWithoutOvershootAtAnyStrength) {
  for (const double damping : {1.0, 1e3, 1e6, 1e9}) {
    JointDescription like;
    like.damping = damping;
    Model model = chain(1, like);
    model.set_gravity(Vector3::Zero());
    for (const Integrator integrator : kBoth) {
      MovingRobot motion(model, integrator, VectorXd::Zero(1), VectorXd::Ones(1));
      for (int i = 0; i < 1000; ++i) {
        const double before = motion.v(0);
        ASSERT_TRUE(motion.go(1e-3, 1e-3));
        ASSERT_GE(motion.v(0), 0.0);
        ASSERT_LE(motion.v(0), before);
      }
      EXPECT_LT(motion.v(0), 1e-5) << damping;
    }
  }
}

/// Light rods with strong friction: explicit integration of tanh(v / w) would need steps of M w /
/// c, less than a microsecond.
Model sticky_chain(int rods) {
  JointDescription sticky;
  sticky.friction = 2.0;
  return chain(rods, sticky, 0.05);
}

TEST(FrictionInMotion, StopsAJointWithoutChatter) {
  Model model = sticky_chain(3);
  model.set_gravity(Vector3::Zero());
  for (const Integrator integrator : kBoth) {
    const VectorXd start = (VectorXd(3) << 5.0, -3.0, 2.0).finished();
    MovingRobot motion(model, integrator, VectorXd::Constant(3, 0.2), start);
    ASSERT_TRUE(motion.go(0.5, 1e-3));
    const VectorXd rest = motion.q;
    EXPECT_LT(largest(motion.v), 1e-6);
    double energy = motion.energy();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(motion.go(1e-3, 1e-3));
      ASSERT_LE(motion.energy(), energy);
      energy = motion.energy();
    }
    EXPECT_LT(largest(motion.v), 1e-9);
    EXPECT_LT(largest(motion.q - rest), 1e-8);
  }
}

TEST(FrictionInMotion, HoldsALoadExceptForCreep) {
  // Gravity pulls at a horizontal rod with 0.05 kg * 9.81 * 0.25 m = 0.12 N m, friction holds up to
  // 2 N m.
  const Model model = sticky_chain(1);
  const double load = 0.05 * 0.25 * -kStandardGravity.z();
  // Smoothed friction balances the load at this speed.
  const double creep = model.friction_speed() * std::atanh(load / 2.0);
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, VectorXd::Constant(1, 0.5 * M_PI), VectorXd::Zero(1));
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(motion.go(1e-3, 1e-3));
      ASSERT_LE(motion.v(0), 1e-12);
      ASSERT_GE(motion.v(0), -creep * (1.0 + 1e-6));
    }
    EXPECT_NEAR(motion.v(0), -creep, 1e-3 * creep);
  }
}

TEST(FrictionInMotion, SlowsASlidingJointAtTheRateOfItsTorque) {
  JointDescription sliding;
  sliding.friction = 0.5;
  Model model = chain(1, sliding);
  model.set_gravity(Vector3::Zero());
  const double inertia = 0.02 + 0.25 * 0.25;
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, VectorXd::Zero(1), VectorXd::Constant(1, 10.0));
    ASSERT_TRUE(motion.go(1.0, 1e-3));
    EXPECT_NEAR(motion.v(0), 10.0 - 0.5 / inertia, 1e-6);
  }
}

// ---- stops ----

TEST(JointStops, HoldUnderLoadAndAfterImpact) {
  JointDescription limited;
  limited.limits.lower = -0.3;
  limited.limits.upper = 0.7;
  const Model model = chain(3, limited);
  for (const Integrator integrator : kBoth) {
    for (const double push : {-20.0, 20.0}) {
      MovingRobot motion(model, integrator, VectorXd::Constant(3, 0.1), VectorXd::Constant(3, 8.0));
      motion.effort.setConstant(push);
      for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(motion.go(1e-3, 1e-3));
        ASSERT_GE(motion.q.minCoeff(), -0.3 - kEpsilon);
        ASSERT_LE(motion.q.maxCoeff(), 0.7 + kEpsilon);
      }
      EXPECT_LT(largest(motion.v), 1e-12);
      EXPECT_LT(largest(motion.q.array() - (push > 0.0 ? 0.7 : -0.3)), 1e-12);
    }
  }
}

TEST(JointStops, OnlyDissipateEnergy) {
  JointDescription limited;
  limited.limits.lower = -0.3;
  limited.limits.upper = 0.7;
  const Model model = chain(3, limited);
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, VectorXd::Constant(3, 0.6), VectorXd::Constant(3, 3.0));
    const double start = motion.energy();
    double late = start;
    for (int i = 0; i < 5000; ++i) {
      ASSERT_TRUE(motion.go(1e-3, 1e-3));
      // 0.1 of 12 J: the oscillation of the energy within a period of the semi-implicit method; see
      // the test of conservation.
      ASSERT_LT(motion.energy(), start + 0.1);
      late = motion.energy();
    }
    EXPECT_LT(late, start - 1.0);
  }
}

TEST(JointStops, CanBeDisabled) {
  JointDescription limited;
  limited.limits.lower = -0.3;
  limited.limits.upper = 0.7;
  const Model model = chain(1, limited);
  MotionStepper stepper(model, Integrator::kSemiImplicit, /*joint_stops*/ false);
  VectorXd q = VectorXd::Zero(1), v = VectorXd::Constant(1, 10.0);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(stepper.step(model, q, v, VectorXd::Zero(1), kNoExternalForces, 1e-3));
  }
  EXPECT_GT(q(0), 0.7);
}

// ---- all robots ----

class AnyMotion : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, AnyMotion, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(AnyMotion, UnderFrictionLosesEnergyAndKeepsUnitQuaternions) {
  model.set_gravity(Vector3::Zero());
  const State state = random_state();
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, state.q, 0.5 * state.v);
    const double start = motion.energy();
    ASSERT_TRUE(motion.go(0.01, 2.5e-4));
    EXPECT_LT(motion.energy(), start * (1.0 + 1e-3));
    for (const Index i : model.coordinate_joints()) {
      if (model.joint(i).type != JointType::kFloating) continue;
      EXPECT_NEAR(motion.q.segment(model.joint(i).q_index + 3, 4).norm(), 1.0, 1e-14);
    }
  }
}

TEST_P(AnyMotion, DoesNotAllocate) {
  const State state = random_state();
  for (const Integrator integrator : kBoth) {
    MovingRobot motion(model, integrator, state.q, state.v);
    const HeapWatch watch;
    ASSERT_TRUE(motion.go(2e-3, 1e-3));
    EXPECT_EQ(watch.count(), 0u);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
