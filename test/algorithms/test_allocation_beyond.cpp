// Real-time safety of inverses, derivatives and the regressor.
#include "spatial_dynamics/algorithms/body_inertias.hpp"
#include "spatial_dynamics/algorithms/derivatives.hpp"
#include "spatial_dynamics/algorithms/inter_body_forces.hpp"
#include "spatial_dynamics/algorithms/mass_matrix_inverse.hpp"
#include "spatial_dynamics/algorithms/regressor.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

class AllocationBeyond : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, AllocationBeyond, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(AllocationBeyond, NoAlgorithmTouchesTheHeap) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  MatrixXd inverse(model.nv(), model.nv());
  MatrixXd Y(model.nv(), kInertialParameters * model.link_count());
  VectorXd x(model.nv());
  InverseDynamicsDerivatives id(model);
  ForwardDynamicsDerivatives fd(model);
  const bool free = !model.has_mimic();
  bool answers = true;
  const HeapWatch watch;
  composite_inertias(model, data, s.q);
  answers = answers && articulated_inertias(model, data, s.q) == free;
  answers = answers && apply_mass_matrix_inverse(model, data, s.q, s.tau, x);
  answers = answers && mass_matrix_inverse(model, data, s.q, inverse);
  inter_body_forces(model, data, s.q, s.v, s.tau, forces);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, id, forces);
  answers = answers && forward_dynamics_derivatives(model, data, s.q, s.v, s.tau, fd, forces);
  regressor(model, data, s.q, s.v, s.a, Y);
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(answers);
}

}  // namespace
}  // namespace spatial_dynamics::test
