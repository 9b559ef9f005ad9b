// Real-time safety: after construction, no algorithm allocates.
#include "spatial_dynamics/spatial/rotation.hpp"
#include "spatial_dynamics/textbook/body_inertias.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(HeapWatch, CountsAllocationsOfEigen) {
  const HeapWatch watch;
  const VectorXd v = VectorXd::Ones(100);
  ASSERT_EQ(v.sum(), 100.0);
  EXPECT_GT(watch.count(), 0u);
}

class Allocation : public LawTest {
 protected:
  /// Calls `algorithm` and returns the number of its heap operations.
  template <typename Algorithm>
  std::size_t heap_calls(Algorithm&& algorithm) {
    const HeapWatch watch;
    algorithm();
    return watch.count();
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, Allocation, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Allocation, NoAlgorithmAllocates) {
  const State s = random_state();
  ExternalForces forces = random_wrenches();
  VectorXd q = s.q, v = s.v;
  Matrix6X J(6, model.nv());
  const Index link = model.link_count() - 1;
  EXPECT_EQ(heap_calls([&] { inverse_dynamics(model, data, s.q, s.v, s.a, forces); }), 0u);
  EXPECT_EQ(heap_calls([&] { forward_dynamics(model, data, s.q, s.v, s.tau, forces); }), 0u);
  EXPECT_EQ(heap_calls([&] { bias_torque(model, data, s.q, s.v); }), 0u);
  EXPECT_EQ(heap_calls([&] { gravity_torque(model, data, s.q); }), 0u);
  EXPECT_EQ(heap_calls([&] { friction_torque(model, data, s.v); }), 0u);
  EXPECT_EQ(heap_calls([&] { mass_matrix(model, data, s.q); }), 0u);
  EXPECT_EQ(heap_calls([&] { coriolis_matrix(model, data, s.q, s.v); }), 0u);
  EXPECT_EQ(heap_calls([&] { kinetic_energy(model, data, s.q, s.v); }), 0u);
  EXPECT_EQ(heap_calls([&] { potential_energy(model, data, s.q); }), 0u);
  EXPECT_EQ(heap_calls([&] { center_of_mass(model, data, s.q); }), 0u);
  EXPECT_EQ(heap_calls([&] { centroidal_momentum(model, data, s.q, s.v); }), 0u);
  EXPECT_EQ(heap_calls([&] { forward_kinematics(model, data, s.q, s.v, s.a); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_jacobian(model, data, link, Frame::kWorld, J); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_jacobian_derivative(model, data, link, Frame::kLocal, J); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_jacobian(model, data, link, Frame::kLocalWorldAligned, J); }),
            0u);
  EXPECT_EQ(heap_calls([&] { link_transform(model, data, link); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_velocity(model, data, link, Frame::kLocal); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_acceleration(model, data, link, Frame::kWorld); }), 0u);
  EXPECT_EQ(heap_calls([&] { link_classical_acceleration(model, data, link); }), 0u);
  EXPECT_EQ(heap_calls([&] { friction_torque(model, data, s.v, s.a); }), 0u);
  EXPECT_EQ(heap_calls([&] { integrate(model, s.q, s.v, 0.1, q); }), 0u);
  EXPECT_EQ(heap_calls([&] { difference(model, s.q, q, v); }), 0u);
  EXPECT_EQ(heap_calls([&] { model.set_payload(link, Inertia::Zero()); }), 0u);
  EXPECT_EQ(heap_calls([&] { forces.clear(); }), 0u);
  EXPECT_EQ(heap_calls([&] { forces.add(model, link, Force::Zero()); }), 0u);
  EXPECT_EQ(heap_calls([&] { log_motion(exp_motion(Motion::Zero())); }), 0u);
}

TEST_P(Allocation, InversesDerivativesAndRegressorDoNotAllocate) {
  const State s = random_state();
  const ExternalForces forces = random_wrenches();
  MatrixXd inverse(model.nv(), model.nv());
  MatrixXd Y(model.nv(), kInertialParameters * model.link_count());
  VectorXd x(model.nv());
  textbook::InverseDynamicsDerivatives id(model);
  textbook::ForwardDynamicsDerivatives fd(model);
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
