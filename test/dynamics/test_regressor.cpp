#include "spatial_dynamics/dynamics/regressor.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"

namespace spatial_dynamics::test {
namespace {

class Regressor : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, Regressor, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Regressor, MatchesTextbook) {
  const State s = random_state();
  MatrixXd Y(model.nv(), kInertialParameters * model.link_count());
  regressor(model, data, s.q, s.v, s.a, Y);
  expect_near(regressor(model, fast, s.q, s.v, s.a), Y);
}

TEST_P(Regressor, TimesParametersIsRigidBodyTorque) {
  const State s = random_state();
  const VectorXd torque = regressor(model, fast, s.q, s.v, s.a) * link_parameters(model);
  const VectorXd& expected = rigid_body_torque(model, fast, s.q, s.v, s.a);
  EXPECT_LT(largest(torque - expected), rounding(largest(expected)));
}

}  // namespace
}  // namespace spatial_dynamics::test
