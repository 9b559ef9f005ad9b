#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include <Eigen/Cholesky>

#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class SOAMassMatrixInverse : public LawTest {};
INSTANTIATE_TEST_SUITE_P(Robots, SOAMassMatrixInverse, ::testing::ValuesIn(all_robots()),
                         robot_name);

TEST_P(SOAMassMatrixInverse, EqualsTheCholeskySolutionAndIsSymmetric) {
  const VectorXd q = random_configuration(random, model);
  const MatrixXd M = mass_matrix(model, data, q);
  const MatrixXd expected = M.llt().solve(MatrixXd::Identity(model.nv(), model.nv()));
  MatrixXd inverse(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix_inverse(model, data, q, inverse));
  const double tolerance =
      100.0 * kEpsilon * static_cast<double>(model.nv()) * condition_number(M) * largest(expected);
  EXPECT_LT(largest(inverse - expected), tolerance);
  EXPECT_EQ(largest(inverse - inverse.transpose()), 0.0);
}

TEST_P(SOAMassMatrixInverse, TimesTheMassMatrixIsTheIdentity) {
  const VectorXd q = random_configuration(random, model);
  const VectorXd x = random_vector(random, model.nv());
  const MatrixXd M = mass_matrix(model, data, q);
  const VectorXd y = M * x;
  VectorXd back(model.nv());
  ASSERT_TRUE(apply_mass_matrix_inverse(model, data, q, y, back));
  EXPECT_LT(largest(back - x), 100.0 * kEpsilon * condition_number(M));
}

TEST(SOAMassMatrixInverse, DoesNotExistWhereAJointMovesNoInertia) {
  const Model model = massless_hinge();
  textbook::Data data(model);
  const VectorXd q = VectorXd::Zero(1), x = VectorXd::Ones(1);
  VectorXd y = VectorXd::Ones(1);
  MatrixXd inverse = MatrixXd::Ones(1, 1);
  EXPECT_FALSE(apply_mass_matrix_inverse(model, data, q, x, y));
  EXPECT_FALSE(mass_matrix_inverse(model, data, q, inverse));
  EXPECT_EQ(y(0), 0.0);
  EXPECT_EQ(inverse(0, 0), 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
