#include "control/braking_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/model/model_builder.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

/// Two sliders with 1 kg each; the second one moves on the first, at 60 degrees to it. Their mass
/// matrix is constant: [2, 0.5; 0.5, 1].
Model two_sliders() {
  JointDescription first, second;
  first.name = "first";
  first.type = second.type = JointType::kPrismatic;
  first.parent = "base";
  first.child = second.parent = "carriage";
  second.name = "second";
  second.child = "slider";
  second.axis = Vector3(0.5, std::sqrt(0.75), 0.0);
  const MassProperties kilogram{1.0, Vector3::Zero(), 0.1 * Matrix3::Identity()};
  return ModelBuilder("two_sliders")
      .add_link("base")
      .add_link("carriage", kilogram)
      .add_link("slider", kilogram)
      .add_joint(first)
      .add_joint(second)
      .build();
}

/// Two coupled coordinates that move at 1 with torque limits of 10.
class BrakingSolverTest : public ::testing::Test {
 protected:
  BrakingSolverTest() {
    M << 2.0, 0.5, 0.5, 1.0;
    EXPECT_TRUE(inverse.factorise(robot, VectorXd::Zero(2), VectorXd::Zero(2)));
    problem.lowest.setConstant(-10.0);
    problem.highest.setConstant(10.0);
    problem.speed = problem.end_speed = VectorXd::Ones(2);
  }
  bool solve(const Eigen::Vector2d& wanted) {
    u = wanted;
    a = M.inverse() * u;
    solver.begin();
    solver.solve(problem, inverse, a, u);
    // The second stage accepts a share of the distance to the last resort.
    return a(0) <= problem.upper(0) + 0.3 * (problem.upper_last(0) - problem.upper(0)) + 1e-9;
  }
  void limit_first(double upper) {
    problem.upper(0) = upper;
    problem.upper_last(0) = upper + 1.0;
  }

  MatrixXd M{2, 2};
  RobotDynamics robot{two_sliders()};
  MassInverse inverse{robot.model()};
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

TEST_F(BrakingSolverTest, CoordinatesAtTheirBoundsTogether) {
  limit_first(-1.0);
  problem.upper(1) = 0.5;
  problem.upper_last(1) = 1.5;
  EXPECT_TRUE(solve({3.0, 2.0}));
  EXPECT_LE((a - Eigen::Vector2d(-1.0, 0.5)).norm(), 1e-12);
  EXPECT_LE((a - M.inverse() * u).norm(), 1e-12);
}

TEST_F(BrakingSolverTest, BrakingOfOneReleasesTheOther) {
  // With the first coordinate held back, the second one satisfies its bound by itself.
  limit_first(-4.0);
  problem.lower(1) = -0.5;
  problem.lower_last(1) = -1.5;
  EXPECT_TRUE(solve({3.0, 0.0}));
  EXPECT_NEAR(a(0), -4.0, 1e-12);
  EXPECT_EQ(u(1), 0.0);
  EXPECT_GE(a(1), -0.5);
}

/// Gauss's principle, by its conditions: each torque is the wanted one, or at its limit, or the
/// acceleration is at its bound.
TEST(BrakingSolver, MeetsTheConditionsOfGaussPrincipleOnRandomTrees) {
  Random random(4);
  int at_bounds = 0, at_limits = 0;
  for (int trial = 0; trial < 200; ++trial) {
    RandomTreeOptions options;
    options.joints = 1 + trial % 30;
    RobotDynamics robot(random_tree(random, options));
    const Index n = robot.model().nv();
    MassInverse inverse(robot.model());
    ASSERT_TRUE(
        inverse.factorise(robot, random_configuration(random, robot.model()), robot.zero()));
    BrakingProblem problem(n);
    BrakingSolver solver(n);
    VectorXd wanted = random_vector(random, n), free(n);
    free = wanted;
    inverse.solve(free);
    // The last resorts permit everything: the first stage is the solution.
    for (Index i = 0; i < n; ++i) {
      const double distance = uniform(random, -0.5, 1.0) * (1.0 + std::abs(free(i)));
      (i % 2 == 0 ? problem.upper : problem.lower)(i) =
          free(i) + (i % 2 == 0 ? distance : -distance);
    }
    problem.upper_last.setConstant(1e12);
    problem.lower_last.setConstant(-1e12);
    problem.lowest = wanted.array() - 2.0;
    problem.highest = wanted.array() + 2.0;
    VectorXd a = free, u = wanted;
    solver.begin();
    solver.solve(problem, inverse, a, u);
    VectorXd change = u - wanted;
    inverse.solve(change);
    const double rounding = 1e-9 * (1.0 + a.norm());
    EXPECT_LE((a - free - change).norm(), rounding);
    for (Index i = 0; i < n; ++i) {
      ASSERT_LE(u(i), problem.highest(i));
      ASSERT_GE(u(i), problem.lowest(i));
      const bool upper = i % 2 == 0;
      const double violation = upper ? a(i) - problem.upper(i) : problem.lower(i) - a(i);
      const double brakes = upper ? wanted(i) - u(i) : u(i) - wanted(i);
      EXPECT_GE(brakes, -rounding) << trial << ": torque drives towards its bound";
      if (brakes < 2.0 - rounding) {
        EXPECT_LE(violation, 2e-4) << trial << ": bound violated though the motor could brake";
      }
      if (brakes > rounding) {
        EXPECT_GE(violation, -2e-4) << trial << ": brakes too much";
      }
      at_bounds += std::abs(violation) <= 2e-4 ? 1 : 0;
      at_limits += brakes >= 2.0 - rounding ? 1 : 0;
    }
  }
  EXPECT_GT(at_bounds, 100);
  EXPECT_GT(at_limits, 100);
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
  EXPECT_LT(a(0), 0.5 + 0.3) << "a share of the distance to the last resort remains";
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
