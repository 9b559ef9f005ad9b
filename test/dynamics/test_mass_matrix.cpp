#include "spatial_dynamics/dynamics/mass_matrix.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::test {
namespace {

class MassMatrix : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, MassMatrix, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(MassMatrix, InverseAndCoriolisMatrixMatchTextbook) {
  const State s = random_state();
  const MatrixXd M = mass_matrix(model, data, s.q);
  expect_near(mass_matrix(model, fast, s.q), M);
  expect_near(coriolis_matrix(model, fast, s.q, s.v), coriolis_matrix(model, data, s.q, s.v));
  MatrixXd inverse(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix_inverse(model, data, s.q, inverse));
  expect_near(mass_matrix_inverse(model, fast, s.q), inverse, condition_number(M));
  EXPECT_FALSE(fast.singular());
}

}  // namespace
}  // namespace spatial_dynamics::test
