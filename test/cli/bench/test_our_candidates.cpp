#include "cli/bench/candidate.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::Candidates;
using cli::Task;

class OurCandidates : public ::testing::Test {
 protected:
  OurCandidates() {
    ::setenv("XDG_CACHE_HOME", ::testing::TempDir().c_str(), 1);  // for generated code
    add_ours(model, candidates, notes);
  }
  /// The results of all states by one candidate.
  MatrixXd results(cli::Candidate& candidate, Task task) const {
    MatrixXd x(result_size(task, model.nv()), states.q.cols());
    candidate.compute_all(task, states, &x);
    return x;
  }
  static MatrixXd random_columns(Random& random, Index rows) {
    MatrixXd x(rows, 5);
    for (Index i = 0; i < 5; ++i) x.col(i) = random_vector(random, rows);
    return x;
  }

  Random random{5};
  Model model = random_tree(random, {4});
  cli::BenchStates states{random_columns(random, model.nq()), random_columns(random, model.nv()),
                          random_columns(random, model.nv())};
  Candidates candidates;
  std::vector<std::string> notes;
};

TEST_F(OurCandidates, AreFiveInAFixedOrder) {
  ASSERT_EQ(candidates.size(), 5u) << (notes.empty() ? "" : notes[0]);
  EXPECT_EQ(candidates[0]->name(), "textbook");
  EXPECT_EQ(candidates[1]->name(), "kernel");
  EXPECT_EQ(candidates[2]->name(), "batch");
  EXPECT_EQ(candidates[3]->name(), "generated");
  EXPECT_EQ(candidates[4]->name(), "generated batch");
}

TEST_F(OurCandidates, ReproduceTheTextbooksNumbers) {
  for (const Task task : cli::kTasks) {
    const MatrixXd expected = results(*candidates[0], task);
    for (const auto& candidate : candidates) {
      if (!candidate->can(task)) continue;
      const MatrixXd got = results(*candidate, task);
      EXPECT_LT(cli::difference(got, expected), 1e-9)
          << candidate->name() << " " << to_string(task);
    }
  }
}

TEST_F(OurCandidates, OneStateHasTheSameResultAsInABatch) {
  for (const auto& candidate : candidates) {
    const MatrixXd all = results(*candidate, Task::kForwardDynamics);
    VectorXd one(model.nv());
    candidate->compute(Task::kForwardDynamics, states.q.col(2).data(), states.v.col(2).data(),
                       states.x.col(2).data(), one.data());
    EXPECT_LT((one - all.col(2)).cwiseAbs().maxCoeff(), 1e-12 * all.col(2).cwiseAbs().maxCoeff())
        << candidate->name();
  }
}

TEST_F(OurCandidates, NoteExplainsMissingGeneratedCode) {
  ::setenv("CXX", "no-such-compiler", 1);
  Candidates fewer;
  const Model other = random_tree(random, {3});
  add_ours(other, fewer, notes);
  ::unsetenv("CXX");
  EXPECT_EQ(fewer.size(), 3u);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("no generated code: 'no-such-compiler'"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace spatial_dynamics::test
