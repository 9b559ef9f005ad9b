#include "control/dense_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(DenseFactor, Solves) {
  Random random(1);
  for (const Index n : {1, 2, 7, 40}) {
    MatrixXd B(n, n);
    for (Index i = 0; i < n; ++i) B.col(i) = random_vector(random, n);
    const MatrixXd A = B * B.transpose() + MatrixXd::Identity(n, n);
    MatrixXd upper = A;
    upper.triangularView<Eigen::StrictlyLower>().setConstant(std::nan(""));  // is not read
    DenseFactor factor(50);
    ASSERT_TRUE(factor.factorise(upper, n));
    const VectorXd b = random_vector(random, n);
    VectorXd x = b;
    factor.solve(x);
    EXPECT_LE((A * x - b).norm(), 1e-14 * condition_number(A) * b.norm());
  }
}

TEST(DenseFactor, RejectsMatrixThatIsNotPositiveDefinite) {
  DenseFactor factor(2);
  EXPECT_FALSE(factor.factorise(MatrixXd::Zero(2, 2), 2));
  EXPECT_FALSE(factor.factorise(MatrixXd::Ones(2, 2), 2));
  EXPECT_FALSE(factor.factorise(MatrixXd::Constant(2, 2, std::nan("")), 2));
  EXPECT_TRUE(factor.factorise(MatrixXd::Identity(2, 2), 2));
}

TEST(DenseFactor, DoesNotAllocateForLargeMatrices) {
  const Index n = 150;
  DenseFactor factor(n);
  const MatrixXd A = MatrixXd::Identity(n, n) + MatrixXd::Constant(n, n, 0.1);
  VectorXd x = VectorXd::Ones(n);
  bool fits = false;
  const HeapWatch watch;
  fits = factor.factorise(A, n);
  factor.solve(x);
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(fits);
  EXPECT_NEAR(x(3), 1.0 / 16.0, 1e-12);  // A 1 = 16 * 1
}

}  // namespace
}  // namespace spatial_dynamics::test
