#include "spatial_dynamics/bodies/hinged_pair.hpp"

#include <gtest/gtest.h>

#include "bodies/random_two_bodies.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(F6DMoving, AtRestEqualsTheProblemOfTheText) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const Force f = random_force(random);
    const HingedPairAcceleration a = accelerate(b, {Motion::Zero(), 0.0, 0.0}, f, 0.0);
    const TwoBodyResponse r = push_first(b.first(), b.second(), b.axis(), f);
    const double tolerance =
        kRounding * condition(inertia_with_hinged_body(b.first(), b.second(), b.axis()));
    EXPECT_LT((a.a1 - r.a1).vector().norm(), tolerance);
    EXPECT_NEAR(a.alpha, r.alpha, 10 * tolerance);
    EXPECT_LT((a.joint_force - r.joint_force).vector().norm(), tolerance);
  }
}

TEST(F6DMoving, IsForwardDynamicsOfAFloatingTreeInMotion) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const TwoBodies b = random_two_bodies(random);
    const Model model = as_floating_tree(b);
    textbook::Data data(model);
    const HingedPairMotion motion{random_motion(random), uniform(random, -3, 3),
                                  uniform(random, -2, 2)};
    const Force f = random_force(random);
    const double torque = uniform(random, -2, 2);
    VectorXd q = neutral_configuration(model), v(7), tau = VectorXd::Zero(7);
    q(7) = motion.angle;
    v << motion.v1.vector(), motion.rate;
    tau << f.vector(), torque;
    const std::vector<Force> forces = inter_body_forces(model, data, q, v, tau);
    const HingedPairAcceleration a = accelerate(b, motion, f, torque);
    const Matrix6 inertia =
        inertia_with_hinged_body(b.first(), second_body_at(b, motion.angle), b.axis());
    const double tolerance = 10 * kRounding * condition(inertia);
    EXPECT_LT((data.acceleration.head<6>() - a.a1.vector()).norm(), tolerance);
    EXPECT_NEAR(data.acceleration(6), a.alpha, 10 * tolerance);
    // The tree has the hinge's wrench in B2's frame, at P.
    const Transform to_second =
        Transform::from_pose(Eigen::AngleAxisd(motion.angle, b.s).toRotationMatrix(), b.p);
    EXPECT_LT((to_second.apply_transpose(forces[2]) - a.joint_force).vector().norm(), tolerance);
    EXPECT_NEAR(dot(b.axis(), a.joint_force), torque, tolerance);
  }
}

/// A pair in motion, as a state.
VectorXd random_state(Random& random) {
  VectorXd x(15);
  x << Quaternion(random_rotation(random)).coeffs(), random_vector3(random), uniform(random, -1, 1),
      random_motion(random).vector(), uniform(random, -2, 2);
  return x;
}

TEST(F6DMoving, AloneInSpaceKeepsMomentumAndEnergy) {
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const StateSpace system = hinged_pair_system(random_two_bodies(random));
    const VectorXd u = VectorXd::Zero(7), start = random_state(random);
    VectorXd x = start;
    for (int step = 0; step < 2000; ++step) x = runge_kutta_step(system, x, u, 5e-4);
    const VectorXd change = system.h(x, u) - system.h(start, u);
    // Rates of up to 20 rad/s: (20 dt)^5 / 120 in each step of a second.
    EXPECT_LT(change.tail<7>().norm(), 1e-8 * (1.0 + system.h(start, u).norm()));
    EXPECT_GT(change.head<3>().norm(), 1e-2);
  }
}

TEST(F6DMoving, HingeTorqueChangesEnergyByItsWorkAndKeepsMomentum) {
  Random random(4);
  const StateSpace system = hinged_pair_system(random_two_bodies(random));
  const VectorXd start = random_state(random);
  VectorXd u = VectorXd::Zero(7);
  u(6) = 0.05;
  const auto error_of = [&](int steps) {
    VectorXd x = start;
    for (int step = 0; step < steps; ++step) x = runge_kutta_step(system, x, u, 0.5 / steps);
    EXPECT_GT(std::abs(x(7) - start(7)), 0.1);
    VectorXd change = system.h(x, u) - system.h(start, u);
    change(12) -= u(6) * (x(7) - start(7));
    return change.tail<7>().norm();
  };
  // The light body spins up, so that the Runge-Kutta error is visible; it decreases with the fourth
  // power of the step.
  const double coarse = error_of(1000), fine = error_of(2000);
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(coarse / fine, 12.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
