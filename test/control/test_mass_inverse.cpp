#include "control/mass_inverse.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

/// Trees with and without mimic joints and a floating base.
Model tree(Random& random, int joints) {
  RandomTreeOptions options;
  options.joints = joints;
  options.multi_dof = joints % 2 == 0;
  options.mimic = joints % 3 == 0;
  options.floating_base = joints % 5 == 0;
  return random_tree(random, options);
}

TEST(MassInverse, ColumnsAndSolutionsAreThoseOfTheInverse) {
  Random random(1);
  for (const int joints : {1, 2, 6, 7, 12, 15, 40}) {
    RobotDynamics robot(tree(random, joints));
    const Model& model = robot.model();
    const Index n = model.nv();
    const VectorXd q = random_configuration(random, model), v = random_vector(random, n);
    const VectorXd added = random_vector(random, n).cwiseAbs();
    textbook::Data data(model);
    const MatrixXd M = textbook::mass_matrix(model, data, q);
    for (const bool with_added : {false, true}) {
      const MatrixXd A = with_added ? MatrixXd(M + MatrixXd(added.asDiagonal())) : M;
      const MatrixXd exact = A.inverse();
      const double rounding = 1e-13 * condition_number(A);
      MassInverse inverse(model);
      ASSERT_TRUE(inverse.factorise(robot, q, with_added ? added : robot.zero()));
      for (Index i = 0; i < n; ++i) {
        if (i % 3 == 1) (void)robot.acceleration(q, v, v, {});  // the robot may compute
        if (i % 3 == 2) (void)robot.torque(q, v, added);        // something else meanwhile
        EXPECT_LE((A * inverse.column(i) - VectorXd::Unit(n, i)).norm(), rounding) << i;
        EXPECT_LE(inverse.least(i), exact(i, i) * (1.0 + rounding)) << i;
        EXPECT_GT(inverse.least(i), 0.0);
      }
      VectorXd x = v;
      inverse.solve(x);
      EXPECT_LE((A * x - v).norm(), rounding * v.norm());
    }
  }
}

/// A x = torque, where each coordinate has one of them given.
TEST(MassInverse, LockedCoordinatesHaveTheirAcceleration) {
  Random random(2);
  for (const int joints : {1, 2, 6, 7, 12, 15, 40}) {
    RobotDynamics robot(tree(random, joints));
    const Model& model = robot.model();
    const Index n = model.nv();
    const VectorXd q = random_configuration(random, model);
    textbook::Data data(model);
    const MatrixXd M = textbook::mass_matrix(model, data, q);
    MassInverse inverse(model);
    ASSERT_TRUE(inverse.factorise(robot, q, robot.zero()));
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<std::uint8_t> locked(to_size(n));
      for (std::uint8_t& flag : locked) flag = uniform(random, 0.0, 10.0) < trial ? 1 : 0;
      const VectorXd given = random_vector(random, n);
      VectorXd x = given, torque(n);
      ASSERT_TRUE(inverse.solve_locked(locked, x, torque));
      for (Index i = 0; i < n; ++i) {
        EXPECT_EQ(locked[to_size(i)] != 0 ? x(i) : torque(i), given(i)) << i;
      }
      const double rounding = 1e-13 * condition_number(M);
      EXPECT_LE((M * x - torque).norm(), rounding * (1.0 + torque.norm()));
    }
    EXPECT_LE((M * inverse.column(0) - VectorXd::Unit(n, 0)).norm(), 1e-13 * condition_number(M))
        << "the factor is computed again";
  }
}

/// Nothing that is known of the matrix is used for another q or after a change of a payload.
TEST(MassInverse, DoesNotUseAFactorOfAnotherMatrix) {
  Random random(3);
  RobotDynamics robot(tree(random, 7));
  const Model& model = robot.model();
  const Index n = model.nv();
  const VectorXd q = random_configuration(random, model),
                 other = random_configuration(random, model);
  const VectorXd v = random_vector(random, n), unit = VectorXd::Unit(n, n - 1);
  textbook::Data data(model);
  const auto error = [&](const VectorXd& at) {
    MassInverse inverse(model);
    EXPECT_TRUE(inverse.factorise(robot, at, robot.zero()));
    const MatrixXd M = textbook::mass_matrix(model, data, at);
    return (M * inverse.column(n - 1) - unit).norm() / condition_number(M);
  };
  EXPECT_LE(error(q), 1e-13);
  EXPECT_LE(error(other), 1e-13);
  EXPECT_LE(error(q), 1e-13);
  (void)robot.acceleration(other, v, v, {});
  EXPECT_LE(error(q), 1e-13);
  robot.set_payload(model.link_count() - 1,
                    Inertia(3.0, Vector3(0.3, 0.0, 0.9), Matrix3::Identity()));
  EXPECT_LE(error(q), 1e-13);
}

TEST(MassInverse, DoesNotAllocate) {
  Random random(4);
  RobotDynamics robot(tree(random, 40));
  const Model& model = robot.model();
  const VectorXd q = random_configuration(random, model);
  MassInverse inverse(model);
  VectorXd x = VectorXd::Ones(model.nv()), torque = x;
  std::vector<std::uint8_t> locked(to_size(model.nv()), 1);
  locked[0] = 0;
  bool fits = false;
  const HeapWatch watch;
  fits = inverse.factorise(robot, q, torque);
  x += inverse.column(3);
  inverse.solve(x);
  fits = inverse.solve_locked(locked, x, torque) && fits;
  EXPECT_EQ(watch.count(), 0u);
  EXPECT_TRUE(fits);
}

}  // namespace
}  // namespace spatial_dynamics::test
