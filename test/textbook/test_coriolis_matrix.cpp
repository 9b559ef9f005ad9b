#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class CoriolisMatrix : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, CoriolisMatrix, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(CoriolisMatrix, TimesVelocityIsBiasMinusGravity) {
  const State s = random_state();
  const VectorXd bias = bias_torque(model, data, s.q, s.v);
  const VectorXd gravity = gravity_torque(model, data, s.q);
  const VectorXd coriolis = coriolis_matrix(model, data, s.q, s.v) * s.v;
  EXPECT_LT(largest(coriolis - (bias - gravity)), rounding(largest(bias) + largest(gravity)));
}

TEST_P(CoriolisMatrix, RateOfMassMatrixMinusTwiceCIsSkewSymmetric) {
  constexpr double kStep = 1e-4;
  const State s = random_state();
  const MatrixXd ahead = mass_matrix(model, data, moved(s.q, s.v, kStep));
  const MatrixXd behind = mass_matrix(model, data, moved(s.q, s.v, -kStep));
  const MatrixXd rate = (ahead - behind) / (2 * kStep);
  const MatrixXd C = coriolis_matrix(model, data, s.q, s.v);
  // Equivalent to M' = C + C', which gives the error relative to M'.
  // Central difference: h^2 = 1e-8 times a third derivative that grows with the depth of the tree.
  EXPECT_LT(largest(rate - C - C.transpose()), 1e-5 * (1.0 + largest(ahead)));
}

TEST_P(CoriolisMatrix, IsLinearInVelocity) {
  const State s = random_state();
  const State other = random_state();
  const MatrixXd first = coriolis_matrix(model, data, s.q, s.v);
  const MatrixXd second = coriolis_matrix(model, data, s.q, other.v);
  const VectorXd sum = s.v + other.v;
  const MatrixXd both = coriolis_matrix(model, data, s.q, sum);
  EXPECT_LT(largest(both - first - second), rounding(largest(first) + largest(second)));
}

}  // namespace
}  // namespace spatial_dynamics::test
