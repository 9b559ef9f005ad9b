#include "spatial_dynamics/bodies/two_link_pendulum.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/bodies/state_space.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr TwoLinkPendulum kPendulum{1.5, 0.8, 0.9, 0.4, 0.35, 0.11, 0.06, 9.80665};

Model as_model(const TwoLinkPendulum& p) {
  JointDescription upper, lower;
  upper.name = "hinge";
  upper.parent = "base";
  upper.child = "upper";
  lower.name = "elbow";
  lower.parent = "upper";
  lower.child = "lower";
  lower.origin = Transform::translation({0, 0, -p.l1});
  for (JointDescription* joint : {&upper, &lower}) {
    joint->type = JointType::kContinuous;
    joint->axis = -Vector3::UnitY();  // a positive angle swings towards +x
  }
  return ModelBuilder("pendulum")
      .add_link("base")
      .add_link("upper", {p.m1, {0, 0, -p.c1}, p.I1 * Matrix3::Identity()})
      .add_link("lower", {p.m2, {0, 0, -p.c2}, p.I2 * Matrix3::Identity()})
      .add_joint(upper)
      .add_joint(lower)
      .build();
}

TEST(SOAPendulum, RelativeAnglesGiveTheGeneralAlgorithmsEquation) {
  const Model model = as_model(kPendulum);
  textbook::Data data(model);
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const VectorXd q = 3.0 * random_vector(random, 2), v = 3.0 * random_vector(random, 2);
    const EquationOfMotion e = equation_of_motion(kPendulum, PendulumAngles::kRelative, q, v);
    EXPECT_LT((e.M - mass_matrix(model, data, q)).norm(), kRounding);
    EXPECT_LT((e.bias - bias_torque(model, data, q, v)).norm(), kRounding);
  }
}

TEST(SOAPendulum, AbsoluteAnglesAreTheChangeOfVelocitiesOfTheRelativeOnes) {
  Random random(2);
  const Eigen::Matrix2d A = absolute_from_relative();
  for (int trial = 0; trial < kTrials; ++trial) {
    const VectorXd q = 3.0 * random_vector(random, 2), v = 3.0 * random_vector(random, 2);
    const EquationOfMotion relative =
        equation_of_motion(kPendulum, PendulumAngles::kRelative, q, v);
    const EquationOfMotion changed = change_velocity(relative, A, Eigen::Matrix2d::Zero(), v);
    const EquationOfMotion absolute =
        equation_of_motion(kPendulum, PendulumAngles::kAbsolute, A * q, A * v);
    EXPECT_LT((changed.M - absolute.M).norm(), kRounding);
    EXPECT_LT((changed.bias - absolute.bias).norm(), kRounding);
    EXPECT_NEAR(energy(kPendulum, PendulumAngles::kRelative, q, v),
                energy(kPendulum, PendulumAngles::kAbsolute, VectorXd(A * q), VectorXd(A * v)),
                kRounding);
  }
}

TEST(SOAPendulum, TheForceOfAbsoluteAnglesIsTheNetTorqueOnEachLink) {
  // The elbow's drive acts on both links, the hinge's on the first only: T1 = (T_hinge - T_elbow,
  // T_elbow).
  const Eigen::Vector2d T(7.0, 2.0), v(0.3, -1.1);
  const Eigen::Matrix2d A = absolute_from_relative();
  const VectorXd T1 = change_force(A, T);
  EXPECT_LT((T1 - Eigen::Vector2d(5.0, 2.0)).norm(), 1e-15);
  EXPECT_NEAR(T1.dot(A * v), T.dot(v), 1e-15);  // the power relationship
}

TEST(SOAPendulum, DoublingVelocitiesHalvesForcesAndQuartersInertia) {
  Random random(3);
  const VectorXd q = random_vector(random, 2), v = random_vector(random, 2);
  const EquationOfMotion e = equation_of_motion(kPendulum, PendulumAngles::kRelative, q, v);
  const Eigen::Matrix2d twice = 2.0 * Eigen::Matrix2d::Identity();
  const EquationOfMotion changed = change_velocity(e, twice, Eigen::Matrix2d::Zero(), v);
  EXPECT_LT((4.0 * changed.M - e.M).norm(), 1e-14);
  EXPECT_LT((2.0 * changed.bias - e.bias).norm(), 1e-14);
}

TEST(SOAPendulum, ATimeVaryingChangeOfVelocitiesKeepsTheAcceleration) {
  // beta1 = A(t) beta with any A: accelerations from both equations agree through beta1' = A beta'
  // + A' beta.
  Random random(4);
  for (int trial = 0; trial < kTrials; ++trial) {
    const VectorXd q = random_vector(random, 2), v = random_vector(random, 2),
                   T = random_vector(random, 2);
    const MatrixXd A =
        2.0 * MatrixXd::Identity(2, 2) + 0.5 * random_vector(random, 4).reshaped(2, 2);
    const MatrixXd A_rate = random_vector(random, 4).reshaped(2, 2);
    const EquationOfMotion e = equation_of_motion(kPendulum, PendulumAngles::kRelative, q, v);
    const EquationOfMotion e1 = change_velocity(e, A, A_rate, v);
    const VectorXd a = e.M.llt().solve(T - e.bias);
    const VectorXd a1 = e1.M.llt().solve(change_force(A, T) - e1.bias);
    EXPECT_LT((a1 - A * a - A_rate * v).norm(), 1e-11);  // cond(M) below 100
  }
}

TEST(SOAPendulum, BothCoordinatesSwingAlikeInStateSpace) {
  const StateSpace relative = pendulum_system(kPendulum, PendulumAngles::kRelative);
  const StateSpace absolute = pendulum_system(kPendulum, PendulumAngles::kAbsolute);
  const Eigen::Matrix2d A = absolute_from_relative();
  const VectorXd T = Eigen::Vector2d(0.4, -0.2), T1 = change_force(A, T);
  VectorXd x(4), x1(4);
  x << 0.5, -0.3, 0.0, 0.2;
  x1 << A * x.head(2), A * x.tail(2);
  for (int step = 0; step < 2000; ++step) {
    x = runge_kutta_step(relative, x, T, 1e-3);
    x1 = runge_kutta_step(absolute, x1, T1, 1e-3);
  }
  // Angles that differ by a constant matrix are integrated by the same polynomials, up to rounding.
  EXPECT_LT((A * x.head(2) - x1.head(2)).norm(), 1e-10);
  EXPECT_LT((relative.h(x, T) - absolute.h(x1, T1)).norm(), 1e-10);
}

/// Largest change of energy in two seconds of swinging.
double energy_error(PendulumAngles angles, double dt) {
  const StateSpace system = pendulum_system(kPendulum, angles);
  const VectorXd u = VectorXd::Zero(2);
  VectorXd x(4);
  x << 2.0, angles == PendulumAngles::kRelative ? 0.5 : 2.5, 0.0, 0.0;
  const double start = system.h(x, u)(4);
  double worst = 0.0;
  for (int step = 0; step < static_cast<int>(2.0 / dt + 0.5); ++step) {
    x = runge_kutta_step(system, x, u, dt);
    worst = std::max(worst, std::abs(system.h(x, u)(4) - start));
  }
  return worst;
}

TEST(SOAPendulum, RungeKuttasEnergyErrorFallsAtLeastTwelvefoldPerHalving) {
  for (const PendulumAngles angles : {PendulumAngles::kRelative, PendulumAngles::kAbsolute}) {
    // Small enough for the fourth order to dominate, large enough for rounding not to.
    const double coarse = energy_error(angles, 4e-3), middle = energy_error(angles, 2e-3),
                 fine = energy_error(angles, 1e-3);
    EXPECT_GT(fine, 1e-12);
    EXPECT_GT(coarse / middle, 12.0);
    EXPECT_GT(middle / fine, 12.0);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
