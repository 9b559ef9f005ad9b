#include "control/mutual_braking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

  /// Moves all bounds and their last resorts inward.
  void tighten(double by) {
    problem.upper.array() -= by;
    problem.upper_last.array() -= by;
    problem.lower.array() += by;
    problem.lower_last.array() += by;
  }
  [[nodiscard]] double cost(const VectorXd& at) const {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      sum += cost_of(at(i) - problem.upper(i), problem.upper_last(i) - problem.upper(i), i);
      sum += cost_of(problem.lower(i) - at(i), problem.lower(i) - problem.lower_last(i), i);
    }
    return sum;
  }
  /// By many line searches, one torque after the other.
  [[nodiscard]] double least_cost() {
    VectorXd at = free, x = wanted;
    double before = kUnlimited, present = cost(at);
    for (int pass = 0; pass < 5000 && before - present > 1e-9 * present; ++pass) {
      for (Index j = 0; j < n; ++j) {
        const bool falls = problem.speed(j) > 0.0;
        double low = (falls ? problem.lowest(j) : wanted(j)) - x(j);
        double high = (falls ? wanted(j) : problem.highest(j)) - x(j);
        const VectorXd column = inverse.column(j);
        for (int k = 0; k < 40; ++k) {
          const double a_third = (high - low) / 3.0;
          const bool left =
              cost(at + (low + a_third) * column) < cost(at + (high - a_third) * column);
          (left ? high : low) += left ? -a_third : a_third;
        }
        x(j) += 0.5 * (low + high);
        at += 0.5 * (low + high) * column;
      }
      before = std::exchange(present, cost(at));
    }
    return present;
  }

  /// Of a violation of a bound of coordinate i.
  [[nodiscard]] double cost_of(double violation, double gap, Index i) const {
    if (!(violation > 0.0)) return 0.0;
    const double beyond = std::max(violation - gap, 0.0) / problem.scale(i);
    return 0.5 * violation * violation / (gap * gap) + 0.5 * 10.0 * beyond * beyond;
  }

  RobotDynamics robot;
  Index n;
  MassInverse inverse;
  BrakingProblem problem;
  VectorXd wanted, free, feasible;
  MutualBraking solver;
  VectorXd a, u;
};

TEST(MutualBraking, FindsTorquesThatSatisfyAllBoundsOfRandomScenes) {
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
  EXPECT_GE(solved, 98 * violated / 100) << "of " << violated;
}

/// Where no torque satisfies all bounds.
TEST(MutualBraking, CostsComeCloseToTheLeastThatASlowMethodFinds) {
  Random random(5);
  int tested = 0, close = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Scene scene(random, 2 + trial % 15);
    scene.tighten(20.0);
    const double least = scene.least_cost();
    if (!(least > 0.5)) continue;
    ++tested;
    scene.solve(12);
    EXPECT_LE(scene.cost(scene.a), 1.2 * least) << trial;
    close += scene.cost(scene.a) <= 1.01 * least ? 1 : 0;
    scene.solve(25);
    EXPECT_LE(scene.cost(scene.a), 1.01 * least) << trial;
    EXPECT_GE(scene.cost(scene.a), 0.999 * least) << trial << ": the slow method is not at the end";
  }
  EXPECT_GT(tested, 40);
  EXPECT_GE(close, tested / 2);
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
