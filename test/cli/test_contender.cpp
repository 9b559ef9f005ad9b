#include "cli/contender.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spatial_dynamics::test {
namespace {

using cli::Task;

TEST(Contender, EveryTaskHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const Task task : cli::kTasks) names.insert(to_string(task));
  EXPECT_EQ(names.size(), std::size(cli::kTasks));
}

TEST(Contender, ResultsAreVectorsMatricesOrThreeOfThem) {
  EXPECT_EQ(result_size(Task::kInverseDynamics, 7), 7);
  EXPECT_EQ(result_size(Task::kForwardDynamics, 7), 7);
  EXPECT_EQ(result_size(Task::kMassMatrix, 7), 49);
  EXPECT_EQ(result_size(Task::kInverseMassMatrix, 7), 49);
  EXPECT_EQ(result_size(Task::kInverseDerivatives, 7), 147);
  EXPECT_EQ(result_size(Task::kForwardDerivatives, 7), 147);
}

/// Answers with the sum of what it is given.
class Sum : public cli::Contender {
 public:
  Sum() : Contender("sum") {}
  bool can(Task) const override { return true; }
  void compute(Task, const double* q, const double* v, const double* x, double* result) override {
    *result = *q + *v + *x;
  }
};

TEST(Contender, AllStatesAreComputedOneByOneUnlessItKnowsBetter) {
  const cli::BenchStates states{MatrixXd{{1.0, 2.0}}, MatrixXd{{10.0, 20.0}},
                                MatrixXd{{100.0, 200.0}}};
  MatrixXd results(1, 2);
  Sum sum;
  sum.compute_all(Task::kInverseDynamics, states, results);
  EXPECT_EQ(results, (MatrixXd{{111.0, 222.0}}));
  EXPECT_FALSE(sum.is_peer());
}

}  // namespace
}  // namespace spatial_dynamics::test
