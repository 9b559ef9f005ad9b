#include "cli/bench/candidate.hpp"

#include <gtest/gtest.h>

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
