#include "identification/joint_equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

namespace spatial_dynamics::test {
namespace {

struct Rows {
  MatrixXd Y;
  VectorXd known, effort;
};

Rows random_rows(Index count, Index unknowns) {
  return {MatrixXd::Random(count, unknowns), VectorXd::Random(count), VectorXd::Random(count)};
}

JointEquations added(const Rows& rows) {
  JointEquations equations(rows.Y.cols());
  for (Index i = 0; i < rows.Y.rows(); ++i) {
    equations.add(rows.Y.row(i), rows.known(i), rows.effort(i));
  }
  return equations;
}

TEST(JointEquationsTest, TheTriangleHasTheSquaresOfAllRows) {
  for (const Index count : {2, 10, 300, 1000}) {
    const Rows rows = random_rows(count, 6);
    JointEquations equations = added(rows);
    const VectorXd x = VectorXd::Random(6);
    const double squares = (rows.Y * x + rows.known - 1.7 * rows.effort).squaredNorm();
    EXPECT_NEAR(equations.mean_square(x, 1.7) * static_cast<double>(count), squares,
                1e-10 * (1.0 + squares));
    EXPECT_EQ(equations.count(), static_cast<double>(count));
    EXPECT_LE(equations.triangle().rows(), 8);
  }
}

TEST(JointEquationsTest, AddsTheRowsOfAnother) {
  const Rows first = random_rows(500, 4), second = random_rows(3, 4);
  JointEquations sum = added(first);
  sum.add(added(second));
  const VectorXd x = VectorXd::Random(4);
  EXPECT_NEAR(sum.mean_square(x, 1.0) * 503.0,
              (first.Y * x + first.known - first.effort).squaredNorm() +
                  (second.Y * x + second.known - second.effort).squaredNorm(),
              1e-9);
}

TEST(JointEquationsTest, WeighsJointsAsADenseSolutionDoes) {
  const Rows first = random_rows(400, 5), second = random_rows(400, 5);
  std::vector<JointEquations> joints{added(first), added(second)};
  VectorXd weights(2), gains(2);
  weights << 4.0, 0.25;
  gains << 1.0, 3.0;
  const WeightedEquations weighted = weigh_equations(joints, weights, gains);
  const VectorXd x = weighted.A.triangularView<Eigen::Upper>().solve(weighted.b);
  MatrixXd A(800, 5);
  VectorXd b(800);
  A << 2.0 * first.Y, 0.5 * second.Y;
  b << 2.0 * (first.effort - first.known), 0.5 * (3.0 * second.effort - second.known);
  EXPECT_LT((x - A.colPivHouseholderQr().solve(b)).norm(), 1e-12);
}

TEST(JointEquationsTest, JointsWithoutRowsAddNothing) {
  const Rows rows = random_rows(50, 3);
  std::vector<JointEquations> joints{added(rows), JointEquations(3)};
  const WeightedEquations weighted = weigh_equations(joints, VectorXd::Ones(2), VectorXd::Ones(2));
  EXPECT_EQ(weighted.A.rows(), 3);
  EXPECT_EQ(joints[1].mean_square(VectorXd::Ones(3), 1.0), 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
