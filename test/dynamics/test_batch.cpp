// Batches compute for every column what the functions compute for one state, with the same
// contract.
#include "spatial_dynamics/dynamics/batch.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/every_batch_function.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"

namespace spatial_dynamics::test {
namespace {

using Batch = BatchTest;
INSTANTIATE_TEST_SUITE_P(Robots, Batch, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Batch, EveryColumnMatchesSingleState) {
  const ExternalForces same = random_wrenches();
  MatrixXd wrenches(6 * model.body_count(), kStates);
  std::vector<ExternalForces> each;
  for (Index i = 0; i < kStates; ++i) {
    each.push_back(random_wrenches());
    for (Index b = 0; b < model.body_count(); ++b) {
      wrenches.col(i).segment<6>(6 * b) = each.back().on_body(b).vector();
    }
  }
  const auto plain = inverse_dynamics(model, batch, q, v, a);
  const MatrixXd tau = plain, with_same = inverse_dynamics(model, batch, q, v, a, same);
  const MatrixXd with_each = inverse_dynamics(model, batch, q, v, a, wrenches);
  const MatrixXd back = forward_dynamics(model, batch, q, v, with_each, wrenches);
  EXPECT_EQ(batch.singular_count(), 0);
  const auto bias = bias_torque(model, batch, q, v);
  const auto gravity = gravity_torque(model, batch, q);
  const auto M = mass_matrix(model, batch, q);
  const auto inverse = mass_matrix_inverse(model, batch, q);
  for (Index i = 0; i < kStates; ++i) {
    const auto qi = q.col(i), vi = v.col(i), ai = a.col(i);
    expect_near(tau.col(i), inverse_dynamics(model, fast, qi, vi, ai));
    expect_near(with_same.col(i), inverse_dynamics(model, fast, qi, vi, ai, same));
    const VectorXd expected = inverse_dynamics(model, fast, qi, vi, ai, each[to_size(i)]);
    expect_near(with_each.col(i), expected);
    expect_near(bias.col(i), bias_torque(model, fast, qi, vi));
    expect_near(gravity.col(i), gravity_torque(model, fast, qi));
    const MatrixXd Mi = mass_matrix(model, fast, qi);
    const double condition = condition_number(Mi);
    expect_near(Eigen::Map<const MatrixXd>(M.col(i).data(), model.nv(), model.nv()), Mi);
    expect_near(Eigen::Map<const MatrixXd>(inverse.col(i).data(), model.nv(), model.nv()),
                mass_matrix_inverse(model, fast, qi), condition);
    EXPECT_LT(largest(back.col(i) - ai), rounding(condition * (1.0 + largest(ai))));
  }
}

std::vector<MatrixXd> copies(const std::vector<BatchData::Result>& parts) {
  return {parts.begin(), parts.end()};
}

/// Equality in which NaN equals NaN: an arbitrary result is not always a valid q.
bool same_numbers(const std::vector<MatrixXd>& a, const std::vector<MatrixXd>& b) {
  const auto equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() &&
           std::equal(x.data(), x.data() + x.size(), y.data(), equal);
  });
}

/// With other wrenches in every state.
class EveryBatchFunction : public BatchTest {
 protected:
  EveryBatchFunction() : wrenches(6 * model.body_count(), kStates), link(model.link_count() - 1) {
    for (Index i = 0; i < kStates; ++i) {
      each.push_back(random_wrenches());
      for (Index b = 0; b < model.body_count(); ++b) {
        wrenches.col(i).segment<6>(6 * b) = each.back().on_body(b).vector();
      }
    }
  }
  [[nodiscard]] std::vector<BatchFunction> functions() const {
    return every_batch_function(wrenches, link);
  }
  MatrixXd wrenches;
  std::vector<ExternalForces> each;
  Index link;
};
INSTANTIATE_TEST_SUITE_P(Robots, EveryBatchFunction, ::testing::ValuesIn(small_robots()),
                         robot_name);

TEST_P(EveryBatchFunction, EveryColumnMatchesSingleState) {
  std::vector<std::string> found;
  for (const BatchFunction& function : functions()) {
    const std::vector<MatrixXd> result = copies(function.call(model, batch, q, v, a));
    for (Index i = 0; i < kStates; ++i) {
      for (const Function& one : every_function(each[to_size(i)], link)) {
        if (one.name != function.name) continue;
        const auto parts = one.call(model, fast, q.col(i), v.col(i), a.col(i));
        ASSERT_EQ(parts.size(), result.size());
        const double condition = condition_number(mass_matrix(model, fast, q.col(i)));
        for (std::size_t k = 0; k < parts.size(); ++k) {
          const Eigen::Map<const VectorXd> expected(parts[k].data, parts[k].size);
          SCOPED_TRACE(function.name);
          expect_near(result[k].col(i), expected, condition);
        }
        found.push_back(one.name);
      }
    }
  }
  EXPECT_EQ(found.size(), to_size(kStates) * every_function(each[0], link).size());
}

TEST_P(EveryBatchFunction, TakesOneColumnOfAResultAsWrenchesOfAllStates) {
  const MatrixXd first = joint_wrenches(model, batch, q, v, a).leftCols(1);
  const MatrixXd expected = joint_wrenches(model, batch, q, v, a, first);
  const auto again = joint_wrenches(model, batch, q, v, a);
  EXPECT_EQ(MatrixXd(joint_wrenches(model, batch, q, v, a, again.leftCols(1))), expected);
}

TEST_P(EveryBatchFunction, DoesNotChangeResultsOfOthers) {
  MatrixXd other = q;
  other.col(0).swap(other.col(1));
  for (const BatchFunction& first : functions()) {
    const std::vector<BatchData::Result> result = first.call(model, batch, q, v, a);
    const std::vector<MatrixXd> before = copies(result);
    for (const BatchFunction& second : functions()) {
      if (second.name != first.name) second.call(model, batch, other, a, v);
    }
    EXPECT_TRUE(same_numbers(copies(result), before)) << first.name;
  }
}

TEST_P(EveryBatchFunction, AcceptsAnyResultAsAnyArgument) {
  BatchData separate(model, kStates, Dense::kAll);
  for (const BatchFunction& first : functions()) {
    for (const BatchFunction& second : functions()) {
      for (int argument = 0; argument < second.arguments; ++argument) {
        for (const Index shift : {0, 1}) {  // in columns, within the memory of the result
          const auto parts = first.call(model, batch, q, v, a);
          const BatchData::Result& part = parts[0];
          const Index rows = argument == 0 ? model.nq() : model.nv();
          if (part.rows() < rows) continue;
          const Index states = kStates - shift;
          const auto given = part.block(0, shift, rows, states);
          const MatrixXd copy = given;
          const MatrixXd some = wrenches.rightCols(states);
          const auto functions_of_some = every_batch_function(some, link);
          const auto same = std::find_if(functions_of_some.begin(), functions_of_some.end(),
                                         [&](const auto& f) { return f.name == second.name; });
          const auto call = [&](BatchData& memory, StatesView x) {
            return copies(same->call(model, memory,
                                     argument == 0 ? x : StatesView(q.leftCols(states)),
                                     argument == 1 ? x : StatesView(v.leftCols(states)),
                                     argument == 2 ? x : StatesView(a.leftCols(states))));
          };
          const std::vector<MatrixXd> aliased = call(batch, given);
          EXPECT_TRUE(same_numbers(aliased, call(separate, copy)))
              << second.name << "(" << first.name << ") argument " << argument;
        }
      }
    }
  }
}

TEST_P(EveryBatchFunction, AcceptsColumnsOfAMatrixResultAsStates) {
  BatchData separate(model, kStates, Dense::kAll);
  for (const BatchFunction& function : functions()) {
    const std::size_t parts = function.call(model, batch, q, v, a).size();
    for (std::size_t part = 0; part < parts; ++part) {
      for (int argument = 1; argument < function.arguments; ++argument) {
        const BatchData::Result matrices = function.call(model, batch, q, v, a)[part];
        if (matrices.size() < v.size()) continue;
        const Eigen::Map<const MatrixXd> given(matrices.data(), v.rows(), v.cols());
        const MatrixXd copy = given;
        const auto call = [&](BatchData& memory, StatesView x) {
          return copies(function.call(model, memory, q, argument == 1 ? x : StatesView(v),
                                      argument == 2 ? x : StatesView(a)));
        };
        const std::vector<MatrixXd> aliased = call(batch, given);
        EXPECT_TRUE(same_numbers(aliased, call(separate, copy)))
            << function.name << " part " << part << " argument " << argument;
      }
    }
  }
}

TEST_P(EveryBatchFunction, UsesChangesOfModel) {
  for (const BatchFunction& function : functions()) function.call(model, batch, q, v, a);
  model.set_gravity({0.5, -3.0, 1.0});
  model.set_payload(link, Inertia::from_com(2.0, {0.1, 0.0, 0.2}, 0.01 * Matrix3::Identity()));
  model.set_friction_speed(0.25);
  BatchData fresh(model, kStates, Dense::kAll);
  for (const BatchFunction& function : functions()) {
    EXPECT_TRUE(same_numbers(copies(function.call(model, batch, q, v, a)),
                             copies(function.call(model, fresh, q, v, a))))
        << function.name;
  }
}

TEST_P(EveryBatchFunction, DoesNotAllocateOrLock) {
  for (const BatchFunction& function : functions()) {
    const LockWatch locks;
    const HeapWatch watch;
    // The allocations of the test itself: the vector of parts and its release.
    function.call(model, batch, q, v, a);
    EXPECT_EQ(watch.count(), 2u) << function.name;
    EXPECT_EQ(locks.count(), 0u) << function.name;
  }
}

TEST(BatchSizes, RequiresDataOfModelAndReservedMemory) {
  Random random(3), same(3);
  const Model model = random_tree(random, {}), twin = random_tree(same, {});
  BatchData batch(model, 2), moved(model, 2);
  const MatrixXd x = MatrixXd::Zero(model.nv(), 2),
                 none = MatrixXd::Zero(6 * model.body_count(), 1);
  int dense = 0;
  for (const BatchFunction& function : every_batch_function(none, 0)) {
    EXPECT_NE(sentence([&] { function.call(twin, batch, x, x, x); }).find("another model"),
              std::string::npos)
        << function.name;
    const std::string text = sentence([&] { function.call(model, batch, x, x, x); });
    if (text.empty()) continue;
    ++dense;
    EXPECT_NE(text.find(function.name + "()"), std::string::npos) << text;
    EXPECT_NE(text.find("BatchData::reserve(Dense::k"), std::string::npos) << text;
  }
  EXPECT_EQ(dense, 9);
  batch.reserve(Dense::kAll);
  EXPECT_TRUE(batch.is_reserved(Dense::kAll));
  BatchData taken = std::move(moved);
  for (const BatchFunction& function : every_batch_function(none, 0)) {
    EXPECT_EQ(sentence([&] { function.call(model, batch, x, x, x); }), "") << function.name;
    EXPECT_NE(sentence([&] { function.call(model, moved, x, x, x); }).find("moved from"),
              std::string::npos);
  }
  EXPECT_EQ(moved.capacity(), 0);
  EXPECT_NE(sentence([&] { moved.reserve(Dense::kAll); }).find("moved from"), std::string::npos);
  EXPECT_NE(sentence([&] { BatchData(model, -1); }).find("capacity is -1"), std::string::npos);
}

TEST(BatchSingular, ColumnsAreZeroAndCounted) {
  const Model model = massless_hinge();
  BatchData batch(model, 3, Dense::kAll);
  const MatrixXd one = MatrixXd::Ones(model.nv(), 3);
  EXPECT_EQ(largest(forward_dynamics(model, batch, one, one, one)), 0.0);
  EXPECT_EQ(batch.singular_count(), 3);
  EXPECT_EQ(largest(mass_matrix_inverse(model, batch, one)), 0.0);
  EXPECT_EQ(batch.singular_count(), 3);
  EXPECT_EQ(largest(forward_dynamics_derivatives(model, batch, one, one, one).da_dtau), 0.0);
  EXPECT_EQ(batch.singular_count(), 3);
}

TEST(BatchSizes, WrongNumberOfRowsColumnsOrStatesThrows) {
  Random random(3);
  const Model model = random_tree(random, {});
  BatchData batch(model, 4);
  const Index n = model.nv();
  const MatrixXd x = MatrixXd::Zero(n, 4), rows = MatrixXd::Zero(n + 1, 4),
                 columns = MatrixXd::Zero(n, 3), many = MatrixXd::Zero(n, 5);
  EXPECT_NE(sentence([&] {
              inverse_dynamics(model, batch, x, rows, x);
            }).find("v has " + std::to_string(n + 1) + " rows, expected " + std::to_string(n)),
            std::string::npos);
  EXPECT_NE(sentence([&] {
              forward_dynamics(model, batch, x, x, columns);
            }).find("tau has 3 columns, expected 4"),
            std::string::npos);
  EXPECT_NE(sentence([&] { gravity_torque(model, batch, many); }).find("5 columns"),
            std::string::npos);
  EXPECT_NE(sentence([&] { inverse_dynamics(model, batch, x, x, x, x); }).find("external has"),
            std::string::npos);
  EXPECT_NE(sentence([&] { mass_matrix(model, batch, x); }).find("reserve(Dense::kMassMatrix)"),
            std::string::npos);
  batch.reserve(Dense::kMassMatrix);
  EXPECT_EQ(mass_matrix(model, batch, x).rows(), n * n);
  EXPECT_EQ(mass_matrix(model, batch, x.leftCols(0)).cols(), 0);
}

}  // namespace
}  // namespace spatial_dynamics::test
