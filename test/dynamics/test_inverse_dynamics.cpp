#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

namespace spatial_dynamics::test {
namespace {

class InverseDynamics : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, InverseDynamics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(InverseDynamics, TorquesMatchTextbook) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  expect_near(inverse_dynamics(model, fast, s.q, s.v, s.a, external),
              inverse_dynamics(model, data, s.q, s.v, s.a, external));
  expect_near(bias_torque(model, fast, s.q, s.v), bias_torque(model, data, s.q, s.v));
  expect_near(gravity_torque(model, fast, s.q), gravity_torque(model, data, s.q));
  expect_near(friction_torque(model, fast, s.v), friction_torque(model, data, s.v));
  expect_near(friction_torque(model, fast, s.v, s.a), friction_torque(model, data, s.v, s.a));
  inverse_dynamics(model, data, s.q, s.v, s.a, external);
  const std::vector<Force>& wrenches = joint_wrenches(model, fast, s.q, s.v, s.a, external);
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    EXPECT_EQ(wrenches[i].vector(), data.f[i].vector());
  }
}

TEST_P(InverseDynamics, TermsAddUpToInverseDynamics) {
  const State s = random_state();
  const ExternalForces external = random_wrenches();
  const VectorXd sum = rigid_body_torque(model, fast, s.q, s.v, s.a, external) +
                       friction_torque(model, fast, s.v) + rotor_torque(model, fast, s.a);
  const VectorXd& tau = inverse_dynamics(model, fast, s.q, s.v, s.a, external);
  EXPECT_LT(largest(tau - sum), rounding(largest(tau)));
}

TEST(FrictionTorque, FrictionAcceptsItsResultAsEitherVelocity) {
  Random random(7);
  const Model model = random_tree(random, {});
  Data data(model), separate(model);
  const VectorXd v = random_vector(random, model.nv()), w = random_vector(random, model.nv());
  const VectorXd expected_w = friction_torque(model, separate, v, w);
  EXPECT_EQ(friction_torque(model, data, v, w), expected_w);
  const VectorXd& first = friction_torque(model, data, w);
  const VectorXd copy = first;
  EXPECT_EQ(friction_torque(model, data, first, w), friction_torque(model, separate, copy, w));
  const VectorXd& second = friction_torque(model, data, w);
  EXPECT_EQ(friction_torque(model, data, v, second), friction_torque(model, separate, v, copy));
  const VectorXd wrong = VectorXd::Zero(model.nv() + 1);
  EXPECT_NE(sentence([&] { friction_torque(model, data, v, wrong); }).find("coulomb_velocity has"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
