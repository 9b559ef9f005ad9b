#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include <Eigen/Cholesky>

#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class MassMatrix : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, MassMatrix, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(MassMatrix, ColumnsAreInverseDynamicsOfUnitAccelerations) {
  const State s = random_state();
  const VectorXd zero = VectorXd::Zero(model.nv());
  const MatrixXd M = mass_matrix(model, data, s.q);
  model.set_gravity(Vector3::Zero());
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd unit = VectorXd::Unit(model.nv(), k);
    const VectorXd column = inverse_dynamics(model, data, s.q, zero, unit);
    EXPECT_LT(largest(M.col(k) - column), rounding(largest(M))) << "column " << k;
  }
}

TEST_P(MassMatrix, IsSymmetricAndPositiveDefinite) {
  for (int trial = 0; trial < 3; ++trial) {
    const MatrixXd M = mass_matrix(model, data, random_configuration(random, model));
    EXPECT_EQ(largest(M - M.transpose()), 0.0);
    EXPECT_EQ(M.llt().info(), Eigen::Success);
  }
}

TEST_P(MassMatrix, IsTheQuadraticFormOfKineticEnergy) {
  const State s = random_state();
  const double energy = kinetic_energy(model, data, s.q, s.v);
  EXPECT_NEAR(0.5 * s.v.dot(mass_matrix(model, data, s.q) * s.v), energy, rounding(energy));
}

TEST_P(MassMatrix, DoesNotDependOnEarlierComputations) {
  const State s = random_state();
  const MatrixXd first = mass_matrix(model, data, s.q);
  mass_matrix(model, data, random_configuration(random, model));
  EXPECT_EQ(largest(mass_matrix(model, data, s.q) - first), 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
