#include "cli/bench/candidate.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace spatial_dynamics::test {
namespace {

using cli::Task;

TEST(Candidate, TaskNamesAreUnique) {
  std::set<std::string> names;
  for (const Task task : cli::kTasks) names.insert(to_string(task));
  EXPECT_EQ(names.size(), std::size(cli::kTasks));
}

TEST(Candidate, ResultSizesAreThoseOfVectorsAndMatrices) {
  EXPECT_EQ(result_size(Task::kInverseDynamics, 7), 7);
  EXPECT_EQ(result_size(Task::kForwardDynamics, 7), 7);
  EXPECT_EQ(result_size(Task::kMassMatrix, 7), 49);
  EXPECT_EQ(result_size(Task::kInverseMassMatrix, 7), 49);
  EXPECT_EQ(result_size(Task::kInverseDerivatives, 7), 147);
  EXPECT_EQ(result_size(Task::kForwardDerivatives, 7), 147);
}

TEST(Candidate, DifferenceIsRelativeToTheLargestExpectedNumber) {
  EXPECT_DOUBLE_EQ(cli::difference(MatrixXd{{1.0, 4.5}}, MatrixXd{{1.0, 5.0}}), 0.1);
}

TEST(Candidate, ResultsThatAreNotFiniteAgreeWithNothing) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), inf, -inf}) {
    for (Index i = 0; i < 9; ++i) {
      MatrixXd results = MatrixXd::Ones(3, 3);
      results(i) = bad;
      EXPECT_FALSE(cli::difference(results, MatrixXd::Ones(3, 3)) <= inf) << bad << " at " << i;
      EXPECT_FALSE(cli::difference(MatrixXd::Ones(3, 3), results) <= inf) << bad << " at " << i;
      EXPECT_FALSE(cli::difference(results, results) <= inf) << bad << " at " << i;
    }
  }
}

/// Returns the sum of its arguments.
class Sum : public cli::Candidate {
 public:
  Sum() : Candidate("sum") {}
  bool can(Task) const override { return true; }
  double compute(Task, const double* q, const double* v, const double* x, double* result) override {
    const double sum = *q + *v + *x;
    if (result != nullptr) *result = sum;
    return sum;
  }
};

TEST(Candidate, ByDefaultAllStatesAreComputedOneByOne) {
  const cli::BenchStates states{MatrixXd{{1.0, 2.0}}, MatrixXd{{10.0, 20.0}},
                                MatrixXd{{100.0, 200.0}}};
  MatrixXd results(1, 2);
  Sum sum;
  sum.compute_all(Task::kInverseDynamics, states, &results);
  EXPECT_EQ(results, (MatrixXd{{111.0, 222.0}}));
  EXPECT_FALSE(sum.is_peer());
}

}  // namespace
}  // namespace spatial_dynamics::test
