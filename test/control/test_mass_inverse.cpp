#include "control/mass_inverse.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(MassInverse, ColumnsAreThoseOfTheInverse) {
  Random random(1);
  for (const int joints : {1, 7, 40}) {
    RandomTreeOptions options;
    options.joints = joints;
    const Model model = random_tree(random, options);
    textbook::Data data(model);
    const MatrixXd M = textbook::mass_matrix(model, data, random_configuration(random, model));
    MassInverse inverse(model.nv());
    ASSERT_TRUE(inverse.factorise(M));
    const double rounding = 1e-13 * condition_number(M);
    for (Index i = 0; i < model.nv(); ++i) {
      const VectorXd unit = VectorXd::Unit(model.nv(), i);
      EXPECT_LE((M * inverse.column(i) - unit).norm(), rounding) << i;
    }
    const VectorXd b = random_vector(random, model.nv());
    VectorXd x(model.nv());
    inverse.solve(b, x);
    EXPECT_LE((M * x - b).norm(), rounding * b.norm());
  }
}

TEST(MassInverse, RejectsMatrixThatIsNotPositiveDefinite) {
  MassInverse inverse(2);
  EXPECT_FALSE(inverse.factorise(MatrixXd::Zero(2, 2)));
  EXPECT_FALSE(inverse.factorise(MatrixXd::Ones(2, 2)));
  EXPECT_FALSE(inverse.factorise(MatrixXd::Constant(2, 2, std::nan(""))));
  EXPECT_TRUE(inverse.factorise(MatrixXd::Identity(2, 2)));
}

TEST(MassInverse, DoesNotAllocateForLargeMatrices) {
  const Index n = 150;
  MassInverse inverse(n);
  const MatrixXd M = MatrixXd::Identity(n, n) + MatrixXd::Constant(n, n, 0.1);
  bool fits = false;
  double sum = 0.0;
  const HeapWatch watch;
  fits = inverse.factorise(M);
  sum = inverse.column(3).sum();
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(fits);
  EXPECT_NEAR(sum, 1.0 / 16.0, 1e-12);  // M 1 = 16 * 1
}

}  // namespace
}  // namespace spatial_dynamics::test
