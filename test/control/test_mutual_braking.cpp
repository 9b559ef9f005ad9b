#include "control/mutual_braking.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

/// A random tree at a random state, and bounds that a known torque satisfies: full braking of all
/// coordinates by a random share of their effort.
struct Scene {
  Scene(Random& random, int joints)
      : robot(tree(random, joints)),
        n(robot.model().nv()),
        inverse(robot.model()),
        problem(n),
        wanted(random_vector(random, n)),
        free(wanted),
        solver(n) {
    EXPECT_TRUE(
        inverse.factorise(robot, random_configuration(random, robot.model()), robot.zero()));
    inverse.solve(free);
    problem.speed = random_vector(random, n);
    VectorXd braking = wanted;
    for (Index i = 0; i < n; ++i) {
      const double sign = problem.speed(i) > 0.0 ? 1.0 : -1.0;
      problem.lowest(i) = wanted(i) - 5.0;
      problem.highest(i) = wanted(i) + 5.0;
      braking(i) -= sign * uniform(random, 0.2, 4.8);
    }
    // Fast enough that braking reverses no speed.
    problem.speed *= 1e3;
    problem.end_speed = problem.speed;
    feasible = braking - wanted;
    inverse.solve(feasible);
    feasible += free;
    for (Index i = 0; i < n; ++i) {
      if (i % 3 == 2) continue;
      const double sign = problem.speed(i) > 0.0 ? 1.0 : -1.0;
      const double margin = uniform(random, 0.0, 1.0), gap = uniform(random, 2.0, 20.0);
      (sign > 0.0 ? problem.upper : problem.lower)(i) = feasible(i) + sign * margin;
      (sign > 0.0 ? problem.upper_last : problem.lower_last)(i) =
          feasible(i) + sign * (margin + gap);
      problem.scale(i) = gap;
    }
  }
  static Model tree(Random& random, int joints) {
    RandomTreeOptions options;
    options.joints = joints;
    return random_tree(random, options);
  }
  void solve(int steps) {
    a = free;
    u = wanted;
    solver.permit_steps(steps);
    solver.solve(problem, wanted, free, inverse, a, u);
  }
  /// The greatest violation, in distances to the last resort.
  [[nodiscard]] double violation(const VectorXd& at) const {
    double worst = 0.0;
    for (Index i = 0; i < n; ++i) {
      if (std::isfinite(problem.upper(i))) {
        worst = std::max(
            worst, (at(i) - problem.upper(i)) / gap_of(problem.upper(i), problem.upper_last(i)));
      }
      if (std::isfinite(problem.lower(i))) {
        worst = std::max(
            worst, (problem.lower(i) - at(i)) / gap_of(problem.lower(i), problem.lower_last(i)));
      }
    }
    return worst;
  }

  RobotDynamics robot;
  Index n;
  MassInverse inverse;
  BrakingProblem problem;
  VectorXd wanted, free, feasible;
  MutualBraking solver;
  VectorXd a, u;
};

TEST(MutualBraking, FindsTorquesThatSatisfyAllBoundsOfSomeRandomScenes) {
  Random random(1);
  int violated = 0, solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene(random, 2 + trial % 30);
    ASSERT_LE(scene.violation(scene.feasible), 0.0);
    if (scene.violation(scene.free) <= 0.3) continue;
    ++violated;
    scene.solve(12);
    solved += scene.violation(scene.a) <= 0.3 ? 1 : 0;
  }
  EXPECT_GT(violated, 100);
  EXPECT_GE(solved, violated / 5) << "of " << violated;
}

TEST(MutualBraking, TorquesOnlyBrakeWithinTheirLimits) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    Scene scene(random, 2 + trial % 20);
    const double before = scene.violation(scene.free);
    scene.solve(trial % 15);
    for (Index i = 0; i < scene.n; ++i) {
      EXPECT_GE(scene.u(i), scene.problem.lowest(i));
      EXPECT_LE(scene.u(i), scene.problem.highest(i));
      EXPECT_LE((scene.u(i) - scene.wanted(i)) * scene.problem.speed(i), 0.0);
    }
    VectorXd expected = scene.u - scene.wanted;
    scene.inverse.solve(expected);
    expected += scene.free;
    EXPECT_LE((scene.a - expected).norm(), 1e-9 * (1.0 + scene.a.norm()));
    if (before <= 0.3) {
      EXPECT_EQ(scene.u, scene.wanted) << "nothing needs to change";
    }
  }
}

TEST(MutualBraking, TakesNoMoreStepsThanPermitted) {
  Random random(3);
  Scene scene(random, 12);
  ASSERT_GT(scene.violation(scene.free), 0.3);
  scene.solve(0);
  EXPECT_EQ(scene.u, scene.wanted);
  scene.solver.permit_steps(1);
  scene.solver.solve(scene.problem, scene.wanted, scene.free, scene.inverse, scene.a, scene.u);
  const VectorXd one = scene.u;
  scene.a = scene.free;
  scene.u = scene.wanted;
  scene.solver.solve(scene.problem, scene.wanted, scene.free, scene.inverse, scene.a, scene.u);
  EXPECT_EQ(scene.u, scene.wanted) << "the steps are used";
  EXPECT_NE(one, scene.wanted);
}

TEST(MutualBraking, DoesNotAllocate) {
  Random random(4);
  Scene scene(random, 40);
  scene.a = scene.free;
  scene.u = scene.wanted;
  scene.solver.permit_steps(12);
  const HeapWatch watch;
  scene.solver.solve(scene.problem, scene.wanted, scene.free, scene.inverse, scene.a, scene.u);
  EXPECT_EQ(watch.count(), 0u);
}

}  // namespace
}  // namespace spatial_dynamics::test
