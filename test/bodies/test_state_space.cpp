#include "spatial_dynamics/bodies/state_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

/// A mass on a spring, driven: x = (position, velocity), x'' = -x + u.
StateSpace oscillator() {
  return {2, 1, 1,
          [](const VectorXd& x, const VectorXd& u) {
            return VectorXd(Eigen::Vector2d(x(1), u(0) - x(0)));
          },
          [](const VectorXd& x, const VectorXd& u) { return VectorXd::Constant(1, u(0) - x(0)); }};
}

/// The error of the position against cos(2) + 2 sin(1)^2 u after two seconds.
double error_of(double dt) {
  const StateSpace system = oscillator();
  const VectorXd u = VectorXd::Constant(1, 0.5);
  VectorXd x = Eigen::Vector2d(1.0, 0.0);
  for (int step = 0; step < static_cast<int>(std::lround(2.0 / dt)); ++step) {
    x = runge_kutta_step(system, x, u, dt);
  }
  return std::abs(x(0) - (0.5 + 0.5 * std::cos(2.0)));
}

TEST(SOAStateSpace, RungeKuttasErrorFallsSixteenfoldPerHalving) {
  // Fourth order, up to fifth-order terms at dt = 0.05.
  EXPECT_NEAR(error_of(0.1) / error_of(0.05), 16.0, 1.0);
  EXPECT_NEAR(error_of(0.05) / error_of(0.025), 16.0, 0.5);
}

TEST(SOAStateSpace, OutputsDependDirectlyOnInputs) {
  const StateSpace system = oscillator();
  const VectorXd x = Eigen::Vector2d(0.3, 0.0);
  EXPECT_EQ(system.h(x, VectorXd::Constant(1, 2.0))(0), 1.7);
}

TEST(SOAStateSpace, SystemsHaveTheirDocumentedSizes) {
  Random random(1);
  const MassProperties p = random_mass_properties(random);
  const Inertia inertia = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
  const TwoLinkPendulum pendulum{1.5, 0.8, 0.9, 0.4, 0.35, 0.11, 0.06, 9.80665};
  for (const StateSpace& system : {single_body_system(inertia, VelocityChoice::kCenter),
                                   pendulum_system(pendulum, PendulumAngles::kAbsolute)}) {
    const VectorXd x = VectorXd::Constant(system.states, 0.5), u = VectorXd::Ones(system.inputs);
    EXPECT_EQ(system.g(x, u).size(), system.states);
    EXPECT_EQ(system.h(x, u).size(), system.outputs);
  }
}

TEST(SOAStateSpace, TheRateOfPositionIsVelocityAndOfAttitudeAngularVelocity) {
  // x' by a difference of x against the velocities in y.
  Random random(2);
  const MassProperties p = random_mass_properties(random);
  const StateSpace system = single_body_system(
      Inertia::from_com(p.mass, p.com, p.inertia_about_com), VelocityChoice::kInertialReference);
  VectorXd x(13);
  x << Quaternion(random_rotation(random)).coeffs(), random_vector3(random),
      random_motion(random).vector();
  const VectorXd u = random_vector(random, 9);
  const VectorXd y = system.h(x, u), rate = system.g(x, u);
  EXPECT_LT((rate.segment<3>(4) - y.segment<3>(10)).norm(), 1e-15);
  EXPECT_NEAR(rate.head<4>().dot(x.head<4>()), 0.0, 1e-15);  // quaternions stay unit
  EXPECT_NEAR(2.0 * rate.head<4>().norm(), y.segment<3>(7).norm(), 1e-14);
}

TEST(SOAStateSpace, ABodyWithoutMassIsRejected) {
  EXPECT_THROW(single_body_system(Inertia::Zero(), VelocityChoice::kBody), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test
