#include "../src/textbook/cholesky.hpp"

#include <gtest/gtest.h>

#include "support/malloc_hook.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
using namespace textbook;  // NOLINT(google-build-using-namespace): the tested namespace

namespace {

MatrixXd random_positive_definite(Random& random, Index n) {
  MatrixXd A(n, n);
  for (Index k = 0; k < n; ++k) A.col(k) = random_vector(random, n);
  return A * A.transpose() + MatrixXd::Identity(n, n);
}

TEST(Cholesky, SolvesWithItsFactors) {
  Random random(1);
  for (const Index n : {1, 2, 7, 40, 120}) {
    const MatrixXd A = random_positive_definite(random, n);
    const VectorXd x = random_vector(random, n);
    MatrixXd L = A;
    ASSERT_TRUE(factorise_in_place(L));
    VectorXd solved = A * x;
    solve_in_place(L, solved);
    EXPECT_LT((solved - x).norm(), 1e-15 * static_cast<double>(n) * condition_number(A));
  }
}

TEST(Cholesky, RejectsIndefiniteSingularAndNanMatrices) {
  MatrixXd indefinite = MatrixXd::Identity(3, 3);
  indefinite(1, 1) = -1.0;
  EXPECT_FALSE(factorise_in_place(indefinite));
  MatrixXd rank_one = MatrixXd::Constant(3, 3, 2.0);
  EXPECT_FALSE(factorise_in_place(rank_one));
  MatrixXd zero = MatrixXd::Zero(2, 2);
  EXPECT_FALSE(factorise_in_place(zero));
  MatrixXd broken = MatrixXd::Constant(2, 2, std::nan(""));
  EXPECT_FALSE(factorise_in_place(broken));
}

TEST(Cholesky, NeverAllocates) {
  Random random(2);
  MatrixXd A = random_positive_definite(random, 120);
  VectorXd x = random_vector(random, 120);
  const HeapWatch watch;
  const bool done = factorise_in_place(A);
  solve_in_place(A, x);
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace spatial_dynamics::test
