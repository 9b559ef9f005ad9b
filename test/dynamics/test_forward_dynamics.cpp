#include "spatial_dynamics/dynamics/forward_dynamics.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

class ForwardDynamics : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, ForwardDynamics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(ForwardDynamics, AccelerationsMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const double condition = condition_number(mass_matrix(model, data, s.q));
  expect_near(forward_dynamics(model, fast, s.q, s.v, s.tau, external),
              forward_dynamics(model, data, s.q, s.v, s.tau, external), condition);
}

TEST_P(ForwardDynamics, OfInverseDynamicsIsTheAcceleration) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const VectorXd& back = forward_dynamics(
      model, fast, s.q, s.v, inverse_dynamics(model, fast, s.q, s.v, s.a, external), external);
  const double condition = condition_number(mass_matrix(model, fast, s.q));
  EXPECT_FALSE(fast.singular());
  EXPECT_LT(largest(back - s.a), rounding(condition * (1.0 + largest(s.a))));
}

TEST(SingularMassMatrix, ResultIsZeroAndSingular) {
  const Model model = massless_hinge();
  Data data(model);
  const VectorXd one = VectorXd::Ones(model.nv());
  EXPECT_EQ(forward_dynamics(model, data, one, one, one), VectorXd::Zero(model.nv()));
  EXPECT_TRUE(data.singular());
  EXPECT_EQ(largest(mass_matrix_inverse(model, data, one)), 0.0);
  EXPECT_TRUE(data.singular());
  EXPECT_EQ(largest(forward_dynamics_derivatives(model, data, one, one, one).da_dq), 0.0);
  EXPECT_TRUE(data.singular());
}

}  // namespace
}  // namespace spatial_dynamics::test
