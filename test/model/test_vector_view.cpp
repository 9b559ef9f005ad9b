// The arguments that a view accepts without a copy. test/embed/rejected.cmake tests those that do
// not compile.
#include "spatial_dynamics/model/vector_view.hpp"

#include <gtest/gtest.h>

#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

const double* seen(VectorView x) { return x.data(); }
const double* seen_states(StatesView x) { return x.data(); }

TEST(VectorView, RefersToTheNumbersThemselves) {
  const VectorXd vector = VectorXd::Ones(9);
  const Eigen::Matrix<double, 7, 1> fixed = Eigen::Matrix<double, 7, 1>::Ones();
  const MatrixXd matrix = MatrixXd::Ones(4, 3);
  const Eigen::RowVectorXd row = Eigen::RowVectorXd::Ones(3);
  const Eigen::Map<const VectorXd> map(vector.data() + 2, 3);
  const Eigen::Ref<const VectorXd> ref = vector;
  const HeapWatch watch;
  EXPECT_EQ(seen(vector), vector.data());
  EXPECT_EQ(seen(fixed), fixed.data());
  EXPECT_EQ(seen(fixed.tail<3>()), fixed.data() + 4);
  EXPECT_EQ(seen(vector.segment(2, 4)), vector.data() + 2);
  EXPECT_EQ(seen(matrix.col(1)), matrix.data() + 4);
  EXPECT_EQ(seen(row), row.data());
  EXPECT_EQ(seen(map), map.data());
  EXPECT_EQ(seen(ref), vector.data());
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_EQ(VectorView(vector.tail(4)).size(), 4);
}

TEST(StatesView, RefersToTheNumbersThemselves) {
  const MatrixXd matrix = MatrixXd::Ones(4, 6);
  const Eigen::Map<const MatrixXd> map(matrix.data(), 2, 12);
  const Eigen::Ref<const MatrixXd> ref = matrix;
  const HeapWatch watch;
  EXPECT_EQ(seen_states(matrix), matrix.data());
  EXPECT_EQ(seen_states(matrix.rightCols(2)), matrix.data() + 16);
  EXPECT_EQ(seen_states(matrix.middleRows(1, 2)), matrix.data() + 1);
  EXPECT_EQ(seen_states(map), matrix.data());
  EXPECT_EQ(seen_states(ref), matrix.data());
  EXPECT_EQ(watch.count(), 0u);
  const StatesView rows = matrix.middleRows(1, 2);
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows.cols(), 6);
  EXPECT_EQ(rows.stride(), 4);
}

}  // namespace
}  // namespace spatial_dynamics::test
