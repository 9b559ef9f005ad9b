#include "spatial_dynamics/kernels/isa.hpp"

#include <cstdlib>

#include "../src/kernels/variants.hpp"
#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Isa, TheBestAvailableIsChosenUnlessTheEnvironmentNamesAnother) {
  const std::vector<std::string> isas = available_isas();
  const char* wanted = std::getenv("SPATIAL_DYNAMICS_ISA");
  bool known = false;
  for (const std::string& isa : isas) known = known || (wanted != nullptr && isa == wanted);
  EXPECT_EQ(chosen_isa(), known ? std::string(wanted) : isas.back());
}

using IsaTest = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, IsaTest, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(IsaTest, AllInstructionSetsAgreeWithinRounding) {
  const State s = random_state();
  const Index own = compact.layout().coordinates;
  const VectorXd v = random_vector(random, own), a = random_vector(random, own);
  const KernelState state{s.q.data(), v.data(), a.data(), nullptr};
  const KernelScratch& scratch = workspace.memory.scratch();
  VectorXd expected(own), tau(own);
  kBaselineKernels.inverse_dynamics(compact.layout(), scratch, state, expected.data());
  for (const std::string& isa : available_isas()) {
    kernels_named(isa.c_str())->inverse_dynamics(compact.layout(), scratch, state, tau.data());
    EXPECT_LT(largest(tau - expected), kTolerance * largest(expected)) << isa;
  }
}

TEST_P(IsaTest, NoKernelTouchesTheHeap) {
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
