#include "kernels/expression.hpp"

#include <gtest/gtest.h>

#include "kernels/statements.hpp"

namespace spatial_dynamics::test {
using namespace kernels;  // NOLINT(google-build-using-namespace): what is tested

namespace {

OperationCounts counts_of(Expression y) {
  OperationCounts counts;
  (void)write_statements(ExpressionGraph::current(), {{"y", y}}, counts);
  return counts;
}

class ExpressionTest : public ::testing::Test {
 protected:
  ExpressionGraph graph;
  Expression a = Expression::input("a"), b = Expression::input("b"), c = Expression::input("c");
};

TEST_F(ExpressionTest, ZerosAndOnesVanish) {
  EXPECT_EQ((a + 0.0).node, a.node);
  EXPECT_EQ((0.0 + a).node, a.node);
  EXPECT_EQ((a - 0.0).node, a.node);
  EXPECT_EQ((a * 1.0).node, a.node);
  EXPECT_EQ((1.0 * a).node, a.node);
  EXPECT_EQ((a / 1.0).node, a.node);
  EXPECT_EQ((a - a).node, Expression().node);
  EXPECT_EQ((a * 0.0).node, Expression().node);
  EXPECT_EQ((-0.0 * a).node, Expression().node);
  EXPECT_EQ((Expression(0.0) / a).node, Expression().node);
}

TEST_F(ExpressionTest, ConstantsAreFolded) {
  EXPECT_EQ((Expression(2.0) * 3.0 + 4.0).node, Expression(10.0).node);
  EXPECT_EQ((2.0 * (3.0 * a)).node, (6.0 * a).node);
  EXPECT_EQ((a / 4.0).node, (0.25 * a).node);
  EXPECT_EQ((-Expression(2.0)).node, Expression(-2.0).node);
}

TEST_F(ExpressionTest, EqualOperationsAreRecordedOnce) {
  EXPECT_EQ((a * b).node, (b * a).node);
  EXPECT_EQ((a + b).node, (b + a).node);
  EXPECT_NE((a - b).node, (b - a).node);
  const OperationCounts counts = counts_of((a * b + c) * (b * a + c));
  EXPECT_EQ(counts.multiplications, 2);
  EXPECT_EQ(counts.additions, 1);
}

TEST_F(ExpressionTest, SignsCombineWithAdditions) {
  EXPECT_EQ((-(-a)).node, a.node);
  EXPECT_EQ((c + (-a) * b).node, (c - a * b).node);
  EXPECT_EQ((c - a * (-b)).node, (c + a * b).node);
  EXPECT_EQ((-(a - b)).node, (b - a).node);
  EXPECT_EQ((a * -2.0 + c).node, (c - 2.0 * a).node);
}

TEST_F(ExpressionTest, CommonTermsOfTwoSumsCancelInTheirDifference) {
  const Expression d = Expression::input("d");
  EXPECT_EQ(((a + b) - (a + c)).node, (b - c).node);
  EXPECT_EQ(((b + a) - (c + b)).node, (a - c).node);
  EXPECT_EQ(((c + a) - (b + c)).node, (a - b).node);
  EXPECT_EQ(((a + b) - (b + a)).node, Expression().node);
  EXPECT_EQ(counts_of((a + b) - (c + d)).additions, 3);
}

TEST_F(ExpressionTest, AnInnerGraphEndsWithItsScope) {
  {
    const ExpressionGraph inner;
    EXPECT_EQ(&ExpressionGraph::current(), &inner);
  }
  EXPECT_EQ(&ExpressionGraph::current(), &graph);
}

}  // namespace
}  // namespace spatial_dynamics::test
