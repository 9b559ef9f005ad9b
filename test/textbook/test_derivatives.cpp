#include "spatial_dynamics/textbook/derivatives.hpp"

#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kDerivativeStep = 1e-3;

/// The derivative of f at 0 by five points: an error of kDerivativeStep^4 times a thirtieth of the
/// fifth derivative, and of rounding over kDerivativeStep.
template <typename Function>
VectorXd central_difference(Function&& f) {
  const VectorXd near = f(kDerivativeStep) - f(-kDerivativeStep),
                 far = f(2 * kDerivativeStep) - f(-2 * kDerivativeStep);
  return (8.0 * near - far) / (12.0 * kDerivativeStep);
}

class Derivatives : public LawTest {
 protected:
  // Smooth friction, so that differences resolve it.
  Derivatives() { model.set_friction_speed(2.0); }

  /// Column by column, where `f(q, v, x)` is inverse or forward dynamics and x the third argument.
  template <typename Function>
  void differences(const State& s, const VectorXd& x, Function&& f, MatrixXd& dq, MatrixXd& dv,
                   MatrixXd& dx) {
    const Index n = model.nv();
    dq.resize(n, n);
    dv.resize(n, n);
    dx.resize(n, n);
    for (Index k = 0; k < n; ++k) {
      const VectorXd e = VectorXd::Unit(n, k);
      dq.col(k) = central_difference([&](double t) { return f(moved(s.q, e, t), s.v, x); });
      dv.col(k) = central_difference([&](double t) { return f(s.q, s.v + t * e, x); });
      dx.col(k) = central_difference([&](double t) { return f(s.q, s.v, x + t * e); });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, Derivatives, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Derivatives, OfInverseDynamicsAgreeWithCentralDifferences) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  textbook::InverseDynamicsDerivatives d(model);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, d, forces);
  MatrixXd dq, dv, da;
  differences(
      s, s.a,
      [&](const VectorXd& q, const VectorXd& v, const VectorXd& a) {
        return VectorXd(inverse_dynamics(model, data, q, v, a, forces));
      },
      dq, dv, da);
  const double scale = 1.0 + largest(inverse_dynamics(model, data, s.q, s.v, s.a, forces));
  const double rounded = rounding(scale) / kDerivativeStep;
  // Of the formula: kDerivativeStep^4 / 30 times a fifth derivative of about ten times the first.
  constexpr double kFormula = 1e-11;
  EXPECT_LT(largest(d.dtau_dq - dq), rounded + kFormula * (scale + largest(dq)));
  EXPECT_LT(largest(d.dtau_dv - dv), rounded + kFormula * (scale + largest(dv)));
  EXPECT_LT(largest(d.dtau_da - da), rounded + kFormula * (scale + largest(da)));
  EXPECT_GT(largest(d.dtau_dv), 1e-3);
}

TEST_P(Derivatives, OfForwardDynamicsAgreeWithCentralDifferences) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  textbook::ForwardDynamicsDerivatives d(model);
  ASSERT_TRUE(forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, d, forces));
  MatrixXd dq, dv, dtau;
  differences(
      s, s.tau,
      [&](const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
        return VectorXd(forward_dynamics(model, data, q, v, tau, forces));
      },
      dq, dv, dtau);
  const MatrixXd M = mass_matrix(model, data, s.q);
  const double condition = condition_number(M);
  const double scale = 1.0 + largest(d.a);
  // The rounding error of an acceleration grows with cond(M), that of its derivative with cond(M) /
  // step.
  const double rounded = 10.0 * kEpsilon * condition * scale / kDerivativeStep;
  constexpr double kFormula = 1e-9;
  EXPECT_LT(largest(d.da_dq - dq), rounded + kFormula * (scale + largest(dq)));
  EXPECT_LT(largest(d.da_dv - dv), rounded + kFormula * (scale + largest(dv)));
  EXPECT_LT(largest(d.da_dtau - dtau), rounded + kFormula * (scale + largest(dtau)));
}

TEST_P(Derivatives, OfForwardDynamicsUndoThoseOfInverseDynamics) {
  // At a fixed torque, a(q, v) changes so that tau(q, v, a) does not: dtau/dq + M da/dq = 0.
  const State s = random_state();
  textbook::ForwardDynamicsDerivatives d(model);
  ASSERT_TRUE(forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, d));
  const MatrixXd M = mass_matrix(model, data, s.q);
  const double share = 100.0 * kEpsilon * static_cast<double>(model.nv()) * condition_number(M);
  EXPECT_LT(largest(M * d.da_dq + d.inverse.dtau_dq), share * (1.0 + largest(d.inverse.dtau_dq)));
  EXPECT_LT(largest(M * d.da_dv + d.inverse.dtau_dv), share * (1.0 + largest(d.inverse.dtau_dv)));
  EXPECT_LT(largest(M * d.da_dtau - MatrixXd::Identity(model.nv(), model.nv())), share);
  EXPECT_EQ(largest(d.inverse.dtau_da - M), 0.0);
}

class SmoothDerivatives : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SmoothDerivatives, ::testing::ValuesIn(free_robots()), robot_name);

TEST_P(SmoothDerivatives, ByVelocityAreHomogeneous) {
  // Velocity terms are quadratic, so that Euler's theorem gives dtau/dv v = 2 C v.
  const State s = random_state();
  textbook::InverseDynamicsDerivatives d(model);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, d);
  const VectorXd terms = bias_torque(model, data, s.q, s.v) - gravity_torque(model, data, s.q);
  EXPECT_LT(largest(d.dtau_dv * s.v - 2.0 * terms), rounding(largest(terms) + largest(d.dtau_dv)));
}

class PlainDerivatives : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, PlainDerivatives, ::testing::ValuesIn(single_dof_robots()),
                         robot_name);

TEST_P(PlainDerivatives, OfGravityAreSymmetric) {
  // g = dV/dq, so that dg/dq is a matrix of second derivatives.
  const State s = random_state();
  const VectorXd zero = VectorXd::Zero(model.nv());
  textbook::InverseDynamicsDerivatives d(model);
  inverse_dynamics_derivatives(model, data, s.q, zero, zero, d);
  EXPECT_LT(largest(d.dtau_dq - d.dtau_dq.transpose()), rounding(largest(d.dtau_dq)));
  // They vanish only where the gravity torque is constant: for prismatic joints and vertical axes.
  const VectorXd here = gravity_torque(model, data, s.q);
  const VectorXd there = gravity_torque(model, data, random_configuration(random, model));
  EXPECT_EQ(largest(d.dtau_dq) > 1e-9, largest(here - there) > 1e-9);
}

TEST(SingularDerivatives, AreZeroAndReported) {
  const Model model = massless_hinge();
  textbook::Data data(model);
  textbook::ForwardDynamicsDerivatives d(model);
  d.da_dq.setOnes();
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_FALSE(forward_dynamics_derivatives(model, data, one, one, one, d));
  EXPECT_EQ(d.da_dq(0, 0), 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
