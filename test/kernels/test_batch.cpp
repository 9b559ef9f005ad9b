#include "kernels/batch.hpp"

#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

class BatchKernel : public KernelTest {
 protected:
  BatchKernel() : batch(compact) {}

  /// Random states, one per column.
  void fill(Index count) {
    q.resize(model.nq(), count);
    for (MatrixXd* x : {&v, &a, &tau, &result}) x->resize(model.nv(), count);
    external.resize(6 * model.body_count(), count);
    for (Index i = 0; i < count; ++i) {
      const State s = random_state();
      q.col(i) = s.q;
      v.col(i) = s.v;
      a.col(i) = s.a;
      tau.col(i) = s.tau;
      const ExternalForces forces = random_wrenches();
      for (Index b = 0; b < model.body_count(); ++b) {
        external.col(i).segment<6>(6 * b) = forces.on_body(b).vector();
      }
    }
  }
  /// The wrenches of a column, in the format of textbook/.
  ExternalForces forces_of(Index column) const {
    ExternalForces forces(model);
    for (Index l = 0; l < model.link_count(); ++l) {
      const Index body = model.link(l).body;
      if (l > 0 && model.link(l - 1).body == body) continue;
      const Force on_body(Vector6(external.col(column).segment<6>(6 * body)));
      if (forces.on_body(body).vector().isZero(0.0)) {
        forces.add(model, l, model.link(l).placement.apply_star(on_body));
      }
    }
    return forces;
  }

  BatchWorkspace batch;
  MatrixXd q, v, a, tau, result, external;
};
INSTANTIATE_TEST_SUITE_P(Robots, BatchKernel, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(BatchKernel, InverseDynamicsEqualsTheTextbookForAnyNumberOfStates) {
  for (const Index count : {0, 1, 3, 4, 9}) {
    fill(count);
    inverse_dynamics_batch(compact, batch, q, v, a, result);
    for (Index i = 0; i < count; ++i) {
      const VectorXd expected = inverse_dynamics(model, data, q.col(i), v.col(i), a.col(i));
      ASSERT_LT(largest(result.col(i) - expected), kTolerance * largest(expected));
    }
  }
}

TEST_P(BatchKernel, ForwardDynamicsEqualsTheTextbook) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  fill(6);
  EXPECT_EQ(forward_dynamics_batch(compact, batch, q, v, tau, result), 0);
  for (Index i = 0; i < 6; ++i) {
    const VectorXd expected = forward_dynamics(model, data, q.col(i), v.col(i), tau.col(i));
    const double condition = condition_number(mass_matrix(model, data, q.col(i)));
    EXPECT_LT(largest(result.col(i) - expected), kTolerance * condition * largest(expected));
  }
}

TEST_P(BatchKernel, EveryStateHasItsWrenches) {
  for (const Index count : {1, 6}) {
    fill(count);
    inverse_dynamics_batch(compact, batch, q, v, a, external, result);
    for (Index i = 0; i < count; ++i) {
      const VectorXd expected =
          inverse_dynamics(model, data, q.col(i), v.col(i), a.col(i), forces_of(i));
      ASSERT_LT(largest(result.col(i) - expected), kTolerance * largest(expected));
    }
  }
}

TEST_P(BatchKernel, AllStatesMayShareWrenches) {
  fill(6);
  const MatrixXd one = external.col(2);
  inverse_dynamics_batch(compact, batch, q, v, a, one, result);
  for (Index i = 0; i < 6; ++i) {
    const VectorXd expected =
        inverse_dynamics(model, data, q.col(i), v.col(i), a.col(i), forces_of(2));
    ASSERT_LT(largest(result.col(i) - expected), kTolerance * largest(expected));
  }
}

TEST_P(BatchKernel, ForwardDynamicsUndoesInverseDynamicsUnderWrenches) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  fill(6);
  inverse_dynamics_batch(compact, batch, q, v, a, external, tau);
  EXPECT_EQ(forward_dynamics_batch(compact, batch, q, v, tau, external, result), 0);
  for (Index i = 0; i < 6; ++i) {
    const double condition = condition_number(mass_matrix(model, data, q.col(i)));
    EXPECT_LT(largest(result.col(i) - a.col(i)), kTolerance * condition * largest(tau.col(i)));
  }
}

TEST_P(BatchKernel, StatesMayBePartOfALargerMatrix) {
  fill(9);
  inverse_dynamics_batch(compact, batch, q, v, a, external, result);
  const Index n = model.nv(), nq = model.nq();
  MatrixXd all = MatrixXd::Constant(nq + 3 * n + 2, 9, -7.0);
  all << q, v, a, MatrixXd::Constant(n + 2, 9, -7.0);
  inverse_dynamics_batch(compact, batch, all.middleRows(0, nq), all.middleRows(nq, n),
                         all.middleRows(nq + n, n), external, all.middleRows(nq + 2 * n, n));
  EXPECT_EQ(all.middleRows(nq + 2 * n, n), result);
  EXPECT_EQ(all.bottomRows(2), MatrixXd::Constant(2, 9, -7.0));
}

TEST_P(BatchKernel, MassMatrixEqualsTheTextbook) {
  fill(5);
  const Index n = model.nv();
  MatrixXd M = MatrixXd::Zero(n * n, 5);
  mass_matrix_batch(compact, batch, q, M);
  for (Index i = 0; i < 5; ++i) {
    const MatrixXd expected = mass_matrix(model, data, q.col(i));
    const Eigen::Map<const MatrixXd> one(M.col(i).data(), n, n);
    EXPECT_LT(largest(one - expected), kTolerance * largest(expected));
  }
}

TEST_P(BatchKernel, DoesNotAllocate) {
  fill(6);
  MatrixXd M = MatrixXd::Zero(model.nv() * model.nv(), 6);
  const HeapWatch watch;
  inverse_dynamics_batch(compact, batch, q, v, a, result);
  inverse_dynamics_batch(compact, batch, q, v, a, external, result);
  forward_dynamics_batch(compact, batch, q, v, tau, result);
  forward_dynamics_batch(compact, batch, q, v, tau, external, result);
  mass_matrix_batch(compact, batch, q, M);
  EXPECT_EQ(watch.count(), 0u);
}

TEST_P(BatchKernel, NonFiniteStateDoesNotChangeItsNeighbours) {
  if (!model.why_forward_dynamics_fails().empty()) GTEST_SKIP() << "M is singular";
  fill(4);
  MatrixXd expected(model.nv(), 4);
  forward_dynamics_batch(compact, batch, q, v, tau, expected);
  tau(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(forward_dynamics_batch(compact, batch, q, v, tau, result), 1);
  EXPECT_EQ(largest(result.col(1)), 0.0);
  for (const Index i : {0, 2, 3}) {
    const double condition = condition_number(mass_matrix(model, data, q.col(i)));
    EXPECT_LT(largest(result.col(i) - expected.col(i)),
              kTolerance * condition * largest(expected.col(i)));
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
