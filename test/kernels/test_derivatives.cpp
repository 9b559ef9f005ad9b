#include "kernels/derivatives.hpp"

#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

class DerivativesKernel : public KernelTest {
 protected:
  DerivativesKernel() : derivatives(compact) {
    model.set_friction_speed(0.5);  // smooth enough for differences
    compact.update(model);
  }
  /// The derivative of f at 0 by differences of eighth order.
  template <typename Function>
  static VectorXd slope(const Function& f) {
    constexpr double kStep = 0.02;
    constexpr double kWeights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    VectorXd sum = kWeights[0] / kStep * (f(kStep) - f(-kStep));
    for (int i = 2; i <= 4; ++i) {
      sum += kWeights[i - 1] / kStep * (f(i * kStep) - f(-i * kStep));
    }
    return sum;
  }
  Derivatives derivatives;
};
std::vector<NamedRobot> robots_to_differentiate() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : kernel_robots()) {
    if (robot.name.find("120") == std::string::npos && robot.name.find("60") == std::string::npos &&
        robot.name.find("200") == std::string::npos &&
        robot.name.find("icub") == std::string::npos) {
      robots.push_back(robot);
    }
  }
  return robots;
}
INSTANTIATE_TEST_SUITE_P(Robots, DerivativesKernel, ::testing::ValuesIn(robots_to_differentiate()),
                         robot_name);

TEST_P(DerivativesKernel, OfInverseDynamicsAgreeWithDifferences) {
  const State s = random_state();
  inverse_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.a);
  EXPECT_LT(largest(derivatives.by_effort - mass_matrix(model, data, s.q)),
            kTolerance * largest(derivatives.by_effort));
  const double size = largest(derivatives.by_q) + largest(derivatives.by_v) +
                      largest(inverse_dynamics(model, data, s.q, s.v, s.a));
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd e = VectorXd::Unit(model.nv(), k);
    const VectorXd by_q = slope([&](double h) {
      return VectorXd(inverse_dynamics(model, data, moved(s.q, e, h), s.v, s.a));
    });
    const VectorXd by_v = slope(
        [&](double h) { return VectorXd(inverse_dynamics(model, data, s.q, s.v + h * e, s.a)); });
    ASSERT_LT(largest(derivatives.by_q.col(k) - by_q), 1e-9 * size) << k;
    ASSERT_LT(largest(derivatives.by_v.col(k) - by_v), 1e-9 * size) << k;
  }
}

/// With larger trees too, for which differences would take too long.
class EveryDerivativesKernel : public DerivativesKernel {};
INSTANTIATE_TEST_SUITE_P(Robots, EveryDerivativesKernel, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(EveryDerivativesKernel, OfInverseDynamicsEqualTheTextbook) {
  textbook::InverseDynamicsDerivatives expected(model);
  for (int trial = 0; trial < 2; ++trial) {
    const State s = random_state();
    inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, expected);
    inverse_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.a);
    EXPECT_LE(largest(derivatives.by_q - expected.dtau_dq), kTolerance * largest(expected.dtau_dq));
    EXPECT_LE(largest(derivatives.by_v - expected.dtau_dv), kTolerance * largest(expected.dtau_dv));
    EXPECT_LE(largest(derivatives.by_effort - expected.dtau_da),
              kTolerance * largest(expected.dtau_da));
  }
}

TEST_P(EveryDerivativesKernel, OfForwardDynamicsEqualTheTextbook) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  const State s = random_state();
  textbook::ForwardDynamicsDerivatives expected(model);
  ASSERT_TRUE(forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, expected));
  ASSERT_TRUE(forward_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.tau));
  const double tolerance = kTolerance * condition_number(expected.inverse.dtau_da);
  EXPECT_LE(largest(derivatives.by_q - expected.da_dq), tolerance * largest(expected.da_dq));
  EXPECT_LE(largest(derivatives.by_v - expected.da_dv), tolerance * largest(expected.da_dv));
  EXPECT_LE(largest(derivatives.by_effort - expected.da_dtau),
            tolerance * largest(expected.da_dtau));
}

TEST_P(DerivativesKernel, OfForwardDynamicsUndoThoseOfInverseDynamics) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  const State s = random_state();
  ASSERT_TRUE(forward_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.tau));
  const VectorXd a = derivatives.acceleration;
  const VectorXd expected = forward_dynamics(model, data, s.q, s.v, s.tau);
  const MatrixXd M = mass_matrix(model, data, s.q);
  const double condition = condition_number(M);
  EXPECT_LT(largest(a - expected), kTolerance * condition * largest(expected));
  const MatrixXd by_q = derivatives.by_q, by_v = derivatives.by_v, by_tau = derivatives.by_effort;
  inverse_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, a);
  EXPECT_LT(largest(M * by_q + derivatives.by_q),
            kTolerance * condition * (1.0 + largest(derivatives.by_q)));
  EXPECT_LT(largest(M * by_v + derivatives.by_v),
            kTolerance * condition * (1.0 + largest(derivatives.by_v)));
  EXPECT_LT(largest(M * by_tau - MatrixXd::Identity(model.nv(), model.nv())),
            kTolerance * condition);
}

TEST_P(DerivativesKernel, DoNotAllocate) {
  const State s = random_state();
  const HeapWatch watch;
  inverse_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.a);
  static_cast<void>(forward_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.tau));
  EXPECT_EQ(watch.count(), 0u);
}

}  // namespace
}  // namespace spatial_dynamics::test
