// Kernels keep no state between calls.
#include "kernels/workspace.hpp"

#include <cstdint>
#include <limits>

#include "kernels/derivatives.hpp"
#include "kernels/forward_dynamics.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "kernels/kernel_test.hpp"
#include "kernels/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

using WorkspaceTest = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, WorkspaceTest, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(WorkspaceTest, EveryPartStartsOnACacheLine) {
  const KernelScratch& s = workspace.memory.scratch();
  for (const double* part :
       {s.angle, s.sine, s.cosine, s.place, s.rotation, s.motion, s.wrench, s.pose, s.composite,
        s.column, s.articulated, s.gain, s.pivot, s.torque, s.packed, s.derivative_link,
        s.derivative_motion, s.derivative_sum, s.derivative_loads}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part) % 64, 0u);
  }
}

TEST_P(WorkspaceTest, ResultsDoNotDependOnTheCallBefore) {
  const State s = random_state();
  State bad = s;
  for (VectorXd* x : {&bad.q, &bad.v, &bad.a, &bad.tau}) {
    x->setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  struct Memory {
    explicit Memory(const CompactModel& model) : derivatives(model), workspace(model) {}
    Derivatives derivatives;
    Workspace workspace;
  };
  Memory used(compact), fresh(compact);
  for (const State& state : {bad, s}) {
    inverse_dynamics(compact, used.workspace, state.q, state.v, state.a);
    forward_dynamics(compact, used.workspace, state.q, state.v, state.tau);
    gravity_torque(compact, used.workspace, state.q);
    mass_matrix(compact, used.workspace, state.q);
    (void)forward_dynamics_derivatives(compact, used.workspace, used.derivatives, state.q, state.v,
                                       state.tau);
    inverse_dynamics_derivatives(compact, used.workspace, used.derivatives, state.q, state.v,
                                 state.a);
  }
  EXPECT_EQ(inverse_dynamics(compact, fresh.workspace, s.q, s.v, s.a), used.workspace.tau);
  EXPECT_EQ(gravity_torque(compact, fresh.workspace, s.q), used.workspace.gravity);
  inverse_dynamics_derivatives(compact, fresh.workspace, fresh.derivatives, s.q, s.v, s.a);
  EXPECT_EQ(fresh.derivatives.by_q, used.derivatives.by_q);
  EXPECT_EQ(fresh.derivatives.by_v, used.derivatives.by_v);
  EXPECT_EQ(fresh.derivatives.by_effort, used.derivatives.by_effort);
  EXPECT_EQ(mass_matrix(compact, fresh.workspace, s.q), mass_matrix(compact, used.workspace, s.q));
  forward_dynamics(compact, used.workspace, s.q, s.v, s.tau);
  EXPECT_EQ(forward_dynamics(compact, fresh.workspace, s.q, s.v, s.tau),
            used.workspace.acceleration);
}

}  // namespace
}  // namespace spatial_dynamics::test
