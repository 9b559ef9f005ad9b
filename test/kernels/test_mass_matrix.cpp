#include "kernels/mass_matrix.hpp"

#include "kernels/derivatives.hpp"
#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

using MassMatrixKernel = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, MassMatrixKernel, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(MassMatrixKernel, EqualsTheTextbook) {
  for (int trial = 0; trial < 3; ++trial) {
    const State s = random_state();
    const MatrixXd expected = mass_matrix(model, data, s.q);
    const MatrixXd M = mass_matrix(compact, workspace, s.q);
    ASSERT_LT(largest(M - expected), kTolerance * largest(expected));
    EXPECT_EQ(M, MatrixXd(M.transpose()));
  }
}

// Entries between branches are written once and must stay zero, whatever is called in between.
TEST_P(MassMatrixKernel, EqualsTheTextbookAfterDerivativesToo) {
  const State s = random_state();
  Derivatives derivatives(compact);
  const MatrixXd expected = mass_matrix(model, data, s.q);
  for (int trial = 0; trial < 2; ++trial) {
    const MatrixXd M = mass_matrix(compact, workspace, s.q);
    ASSERT_LT(largest(M - expected), kTolerance * largest(expected));
    if (!forward_dynamics_derivatives(compact, workspace, derivatives, s.q, s.v, s.a)) return;
  }
}

TEST_P(MassMatrixKernel, InverseTimesMatrixIsTheIdentity) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  const State s = random_state();
  const MatrixXd M = mass_matrix(model, data, s.q);
  MatrixXd inverse(model.nv(), model.nv());
  ASSERT_TRUE(inverse_mass_matrix(compact, workspace, s.q, inverse));
  const MatrixXd one = MatrixXd::Identity(model.nv(), model.nv());
  EXPECT_LT(largest(inverse * M - one), kTolerance * condition_number(M));
  EXPECT_LT(largest(inverse - inverse.transpose()), kTolerance * largest(inverse));
}

}  // namespace
}  // namespace spatial_dynamics::test
