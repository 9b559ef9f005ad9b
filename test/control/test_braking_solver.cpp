#include "control/braking_solver.hpp"

#include <gtest/gtest.h>

#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

/// Two coupled coordinates that move at 1 with torque limits of 10.
class BrakingSolverTest : public ::testing::Test {
 protected:
  BrakingSolverTest() {
    M << 2.0, 0.5, 0.5, 1.0;
    EXPECT_TRUE(inverse.factorise(M));
    problem.lowest.setConstant(-10.0);
    problem.highest.setConstant(10.0);
    problem.speed = problem.end_speed = VectorXd::Ones(2);
  }
  bool solve(const Eigen::Vector2d& wanted) {
    u = wanted;
    a = M.inverse() * u;
    return solver.solve(problem, inverse, a, u);
  }
  void limit_first(double upper) {
    problem.upper(0) = upper;
    problem.upper_last(0) = upper + 1.0;
  }

  MatrixXd M{2, 2};
  MassInverse inverse{2};
  BrakingProblem problem{2};
  BrakingSolver solver{2};
  VectorXd a, u;
};

TEST_F(BrakingSolverTest, SatisfiedBoundsChangeNothing) {
  limit_first(100.0);
  EXPECT_TRUE(solve({3.0, -4.0}));
  EXPECT_EQ(u, VectorXd(Eigen::Vector2d(3.0, -4.0)));
}

TEST_F(BrakingSolverTest, ACoordinateBrakesItself) {
  limit_first(-1.0);
  EXPECT_TRUE(solve({3.0, 2.0}));
  EXPECT_EQ(u(1), 2.0) << "the other torque stays";
  EXPECT_NEAR(a(0), -1.0, 1e-6);
  EXPECT_LE((a - M.inverse() * u).norm(), 1e-12);
}

TEST_F(BrakingSolverTest, OthersHelpWhenAMotorIsTooWeak) {
  problem.lowest(0) = problem.highest(0) = 3.0;
  // The coupling is positive: the first coordinate accelerates less if the second one is driven,
  // and the second one moves backwards, so that driving it is braking.
  problem.speed(1) = problem.end_speed(1) = -1.0;
  problem.scale.setConstant(10.0);
  limit_first(0.5);
  EXPECT_TRUE(solve({3.0, 2.0}));
  EXPECT_GT(u(1), 2.0);
  EXPECT_NEAR(a(0), 0.5, 0.02);
}

TEST_F(BrakingSolverTest, NoTorqueChangesInTheDirectionOfTheMotion) {
  problem.lowest(0) = problem.highest(0) = 3.0;
  limit_first(0.5);
  EXPECT_FALSE(solve({3.0, 2.0}));
  EXPECT_EQ(u(1), 2.0) << "to drive the second coordinate would help, but is no braking";
}

TEST_F(BrakingSolverTest, IsDeterministic) {
  limit_first(-30.0);
  solve({3.0, 2.0});
  const VectorXd first = u;
  solve({3.0, 2.0});
  EXPECT_EQ(u, first);
  EXPECT_EQ(u(0), -10.0) << "the whole effort";
}

}  // namespace
}  // namespace spatial_dynamics::test
