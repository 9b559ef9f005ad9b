// All instruction sets compute the same, one state at a time and in batches.
#include "kernels/batch.hpp"
#include "kernels/forward_dynamics.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/kernel_test.hpp"
#include "kernels/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

using IsaTest = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, IsaTest, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(IsaTest, AllInstructionSetsAgreeWithinRounding) {
  const State s = random_state();
  const Index unreduced = compact.layout().coordinates;
  const VectorXd v = random_vector(random, unreduced), a = random_vector(random, unreduced);
  const KernelState state{s.q.data(), v.data(), a.data(), nullptr};
  const KernelScratch& scratch = workspace.memory.scratch();
  VectorXd expected(unreduced), tau(unreduced);
  kBaselineKernels.inverse_dynamics(compact.layout(), scratch, state, expected.data());
  for (const std::string& isa : available_isas()) {
    kernels_named(isa.c_str())->inverse_dynamics(compact.layout(), scratch, state, tau.data());
    EXPECT_LT(largest(tau - expected), kTolerance * largest(expected)) << isa;
  }
}

TEST_P(IsaTest, ABatchOfEqualStatesEqualsOneState) {
  const State s = random_state();
  const CompactLayout& layout = compact.layout();
  const Index unreduced = layout.coordinates;
  const VectorXd v = random_vector(random, unreduced), x = random_vector(random, unreduced);
  const KernelState one{s.q.data(), v.data(), x.data(), nullptr};
  const auto lanes = [](const VectorXd& a) -> MatrixXd { return a.transpose().replicate(4, 1); };
  const BatchWorkspace batch(compact);
  const auto buffer = [&batch](int i, Index count) {  // where lanes may start
    return Eigen::Map<MatrixXd>(batch.memory.vector(i), 4, count);
  };
  buffer(0, s.q.size()) = lanes(s.q);
  buffer(1, unreduced) = lanes(v);
  buffer(2, unreduced) = lanes(x);
  const KernelState four{batch.memory.vector(0), batch.memory.vector(1), batch.memory.vector(2),
                         nullptr};
  VectorXd expected(unreduced);
  const Index entries = compact.packed_size();
  const double size = largest(mass_matrix(compact, workspace, s.q));
  for (const std::string& isa : available_isas()) {
    const KernelTable& kernels = *kernels_named(isa.c_str());
    kernels.inverse_dynamics(layout, workspace.memory.scratch(), one, expected.data());
    kernels.inverse_dynamics_batch(layout, batch.memory.scratch(), four, batch.memory.vector(3));
    EXPECT_LT(largest(buffer(3, unreduced) - lanes(expected)), kTolerance * largest(expected))
        << isa;
    kernels.mass_rows(layout, workspace.memory.scratch(), s.q.data());
    kernels.mass_rows_batch(layout, batch.memory.scratch(), four.q);
    for (Index k = 0; k < unreduced; ++k) {  // padding between rows is not written
      const Index start = layout.rows.start[k], length = layout.rows.depth[k] + 1;
      ASSERT_LE(start + length, entries);
      const Eigen::Map<const VectorXd> row(workspace.memory.scratch().packed + start, length);
      const Eigen::Map<const MatrixXd> row4(batch.memory.scratch().packed + 4 * start, 4, length);
      EXPECT_LT(largest(row4 - lanes(row)), kTolerance * size) << isa;
    }
  }
}

TEST_P(IsaTest, NoKernelAllocates) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  MatrixXd inverse(model.nv(), model.nv());
  const HeapWatch watch;
  inverse_dynamics(compact, workspace, s.q, s.v, s.a, on_bodies(forces));
  bias_torque(compact, workspace, s.q, s.v);
  gravity_torque(compact, workspace, s.q);
  mass_matrix(compact, workspace, s.q);
  forward_dynamics(compact, workspace, s.q, s.v, s.tau, on_bodies(forces));
  static_cast<void>(inverse_mass_matrix(compact, workspace, s.q, inverse));
  EXPECT_EQ(watch.count(), 0u);
}

}  // namespace
}  // namespace spatial_dynamics::test
