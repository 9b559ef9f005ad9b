#include "cli/our_contenders.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::Contenders;
using cli::Task;

class OurContenders : public ::testing::Test {
 protected:
  OurContenders() {
    ::setenv("XDG_CACHE_HOME", ::testing::TempDir().c_str(), 1);  // for generated code
    add_ours(model, contenders, notes);
  }
  /// The results of all states by one contender.
  MatrixXd results(cli::Contender& contender, Task task) const {
    MatrixXd x(result_size(task, model.nv()), states.q.cols());
    contender.compute_all(task, states, x);
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
  Contenders contenders;
  std::vector<std::string> notes;
};

TEST_F(OurContenders, AreFiveAndTheTableCountsOnTheirOrder) {
  ASSERT_EQ(contenders.size(), 5u) << (notes.empty() ? "" : notes[0]);
  EXPECT_EQ(contenders[0]->name(), "textbook");
  EXPECT_EQ(contenders[1]->name(), "kernel");
  EXPECT_EQ(contenders[2]->name(), "batch");
  EXPECT_EQ(contenders[3]->name(), "generated");
  EXPECT_EQ(contenders[4]->name(), "generated batch");
}

TEST_F(OurContenders, GiveTheTextbooksAnswersToAllThatTheyCan) {
  for (const Task task : cli::kTasks) {
    const MatrixXd expected = results(*contenders[0], task);
    for (const auto& contender : contenders) {
      if (!contender->can(task)) continue;
      const MatrixXd got = results(*contender, task);
      EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff())
          << contender->name() << " " << to_string(task);
    }
  }
}

TEST_F(OurContenders, OneStateHasTheAnswerThatItHasAmongMany) {
  for (const auto& contender : contenders) {
    const MatrixXd all = results(*contender, Task::kForwardDynamics);
    VectorXd one(model.nv());
    contender->compute(Task::kForwardDynamics, states.q.col(2).data(), states.v.col(2).data(),
                       states.x.col(2).data(), one.data());
    EXPECT_LT((one - all.col(2)).cwiseAbs().maxCoeff(), 1e-12 * all.col(2).cwiseAbs().maxCoeff())
        << contender->name();
  }
}

TEST_F(OurContenders, SayWhyThereIsNoGeneratedCode) {
  ::setenv("CXX", "no-such-compiler", 1);
  Contenders fewer;
  const Model other = random_tree(random, {3});
  add_ours(other, fewer, notes);
  ::unsetenv("CXX");
  EXPECT_EQ(fewer.size(), 3u);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("no generated code: 'no-such-compiler'"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace spatial_dynamics::test
