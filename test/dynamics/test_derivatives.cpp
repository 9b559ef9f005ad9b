#include "spatial_dynamics/dynamics/derivatives.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"

namespace spatial_dynamics::test {
namespace {

class Derivatives : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, Derivatives, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Derivatives, WithWrenchesMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  textbook::InverseDynamicsDerivatives id(model);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, id, external);
  const auto& result = inverse_dynamics_derivatives(model, fast, s.q, s.v, s.a, external);
  expect_near(result.dtau_dq, id.dtau_dq);
  expect_near(result.dtau_dv, id.dtau_dv);
  expect_near(result.dtau_da, id.dtau_da);
  textbook::ForwardDynamicsDerivatives fd(model);
  ASSERT_TRUE(forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, fd, external));
  const auto& forward = forward_dynamics_derivatives(model, fast, s.q, s.v, s.tau, external);
  const double condition = condition_number(id.dtau_da);
  expect_near(forward.da_dq, fd.da_dq, condition);
  expect_near(forward.da_dv, fd.da_dv, condition);
  expect_near(forward.da_dtau, fd.da_dtau, condition);
  expect_near(forward.a, fd.a, condition);
}

TEST_P(Derivatives, WithWrenchesMatchFiniteDifferences) {
  if (GetParam().large) return;  // each test needs nv calls of inverse dynamics
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const MatrixXd dtau_dq =
      inverse_dynamics_derivatives(model, fast, s.q, s.v, s.a, external).dtau_dq;
  // Differences of five points have an error of step^4 / 30 times the fifth derivative, and of
  // rounding divided by the step.
  constexpr double kStep = 1e-3;
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd e = VectorXd::Unit(model.nv(), k);
    const auto tau = [&](double h) {
      return VectorXd(inverse_dynamics(model, fast, moved(s.q, e, h), s.v, s.a, external));
    };
    const VectorXd near = tau(kStep) - tau(-kStep), far = tau(2 * kStep) - tau(-2 * kStep);
    const VectorXd difference = (8.0 * near - far) / (12.0 * kStep);
    const double size = 1.0 + largest(dtau_dq) + largest(tau(0.0));
    ASSERT_LT(largest(dtau_dq.col(k) - difference), 1e-8 * size) << k;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
