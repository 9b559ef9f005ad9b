#include "kernels/inverse_dynamics.hpp"

#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

namespace spatial_dynamics::test {
namespace {

using InverseDynamicsKernel = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, InverseDynamicsKernel, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(InverseDynamicsKernel, EqualsTheTextbook) {
  for (int trial = 0; trial < 5; ++trial) {
    const State s = random_state();
    const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a);
    const VectorXd tau = inverse_dynamics(compact, workspace, s.q, s.v, s.a);
    ASSERT_LT(largest(tau - expected), kTolerance * largest(expected));
  }
}

TEST_P(InverseDynamicsKernel, EqualsTheTextbookUnderExternalWrenches) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a, forces);
  const VectorXd tau = inverse_dynamics(compact, workspace, s.q, s.v, s.a, on_bodies(forces));
  EXPECT_LT(largest(tau - expected), kTolerance * largest(expected));
}

TEST_P(InverseDynamicsKernel, BiasEqualsTheTextbook) {
  const State s = random_state();
  const VectorXd expected = bias_torque(model, data, s.q, s.v);
  EXPECT_LT(largest(bias_torque(compact, workspace, s.q, s.v) - expected),
            kTolerance * largest(expected));
}

TEST_P(InverseDynamicsKernel, GravityEqualsTheTextbook) {
  const State s = random_state();
  const VectorXd expected = gravity_torque(model, data, s.q);
  EXPECT_LT(largest(gravity_torque(compact, workspace, s.q) - expected),
            kTolerance * largest(expected) + 1e-300);
}

TEST_P(InverseDynamicsKernel, NaNAndInfinityPropagate) {
  State s = random_state();
  const Index k = model.joint(model.body_count() - 1).v_index;
  s.v(k) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(inverse_dynamics(compact, workspace, s.q, s.v, s.a)(k)));
  s = random_state();
  s.a(k) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(std::isfinite(inverse_dynamics(compact, workspace, s.q, s.v, s.a)(k)));
}

TEST_P(InverseDynamicsKernel, LargeAnglesEqualTheTextbook) {
  State s = random_state();
  for (const Index i : model.coordinate_joints()) {
    if (model.joint(i).nq == 1 && model.joint(i).type != JointType::kPrismatic) {
      s.q(model.joint(i).q_index) *= 1e6;
    }
  }
  const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a);
  const VectorXd tau = inverse_dynamics(compact, workspace, s.q, s.v, s.a);
  // The kernel's angle is q plus a constant: it rounds to an epsilon of q, which is 1e6 times
  // larger than usual.
  EXPECT_LT(largest(tau - expected), 1e6 * kTolerance * largest(expected));
}

}  // namespace
}  // namespace spatial_dynamics::test
