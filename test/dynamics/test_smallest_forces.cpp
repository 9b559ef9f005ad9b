#include "dynamics/smallest_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "support/malloc_hook.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Rows [moment; force] of the forces' sum; three columns per point.
MatrixXd sum_matrix(const std::vector<Vector3>& points) {
  MatrixXd A(6, 3 * static_cast<Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    A.middleCols<3>(3 * static_cast<Index>(i)) << skew(points[i]), Matrix3::Identity();
  }
  return A;
}
VectorXd in_one(const std::vector<Vector3>& forces) {
  VectorXd all(3 * static_cast<Index>(forces.size()));
  for (std::size_t i = 0; i < forces.size(); ++i) {
    all.segment<3>(3 * static_cast<Index>(i)) = forces[i];
  }
  return all;
}

struct Case {
  std::vector<Vector3> points;
  Ground ground;
  VectorXd known;  ///< possible forces
  Force wrench;    ///< their sum
};

/// Points at random heights of up to `height`, and possible forces there; some are zero.
Case random_case(Random& random, int points, double height, double friction) {
  Case c;
  c.ground.normal = random_unit_vector(random);
  c.ground.friction = friction;
  std::vector<Vector3> forces;
  for (int i = 0; i < points; ++i) {
    const Vector3 p = random_vector3(random), f = random_vector3(random);
    const Vector3& n = c.ground.normal;
    c.points.push_back(p + (uniform(random, 0.0, height) - n.dot(p)) * n);
    const double up = std::max(0.0, uniform(random, -0.5, 1.0));
    const Vector3 tangent = f - n.dot(f) * n;
    const double ratio = std::min(friction, 2.0) * uniform(random, 0.0, 0.95);
    forces.push_back(up * (n + ratio * tangent.normalized()));
  }
  c.known = in_one(forces);
  c.wrench = Force(Vector6(sum_matrix(c.points) * c.known));
  return c;
}

TEST(SmallestForces, AddUpToWrenchWithinConesAndAreNoLargerThanKnownForces) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const double friction = std::vector<double>{kUnlimited, 1.0, 0.5, 0.0}[to_size(i % 4)];
    const double height = i % 3 == 0 ? 0.0 : 0.3;
    const Case c = random_case(random, 1 + i % 7, height, friction);
    std::vector<Vector3> forces(c.points.size());
    ASSERT_TRUE(smallest_forces(c.points, c.wrench, c.ground, forces)) << i;
    const VectorXd f = in_one(forces);
    // The accepted remainder is 1e-10 of the wrench; the points are at most 2 m apart.
    ASSERT_LE((sum_matrix(c.points) * f - c.wrench.vector()).norm(), 3e-10 * c.known.norm()) << i;
    ASSERT_LE(f.norm(), (1.0 + 1e-9) * c.known.norm()) << i;
    for (const Vector3& force : forces) {
      const double up = c.ground.normal.dot(force), size = 1e-14 * f.norm();
      ASSERT_GE(up, -size) << i;
      if (friction < kUnlimited) {
        ASSERT_LE((force - up * c.ground.normal).norm(), friction * up + size) << i;
      }
    }
  }
}

TEST(SmallestForces, AreTheSmallestOverAllSetsOfLoadedPoints) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const int count = 1 + i % 6;
    const Case c = random_case(random, count, i % 2 == 0 ? 0.0 : 1.0, kUnlimited);
    const Vector6 w = c.wrench.vector();
    // Without a limit of friction, each normal force is zero or free: try all combinations.
    VectorXd best;
    for (unsigned loaded = 0; loaded < 1U << static_cast<unsigned>(count); ++loaded) {
      MatrixXd A = sum_matrix(c.points);
      const Vector3& n = c.ground.normal;
      for (int k = 0; k < count; ++k) {
        if ((loaded >> static_cast<unsigned>(k) & 1U) != 0) continue;
        const Matrix3 tangential = Matrix3::Identity() - n * n.transpose();
        A.middleCols<3>(3 * k) = (A.middleCols<3>(3 * k) * tangential).eval();
      }
      const VectorXd f = A.completeOrthogonalDecomposition().solve(w);
      bool possible = (A * f - w).norm() <= 1e-9 * w.norm();
      for (int k = 0; k < count; ++k) possible &= n.dot(f.segment<3>(3 * k)) >= -1e-9 * f.norm();
      if (possible && (best.size() == 0 || f.norm() < best.norm())) best = f;
    }
    std::vector<Vector3> forces(c.points.size());
    ASSERT_TRUE(smallest_forces(c.points, c.wrench, c.ground, forces));
    ASSERT_LE((in_one(forces) - best).norm(), 1e-8 * best.norm()) << i;
  }
}

/// The conditions of Karush, Kuhn and Tucker: there is a twist x such that each force is the point
/// of the cone that is nearest to the velocity y = A' x of its point.
TEST(SmallestForces, SatisfyTheConditionsOfOptimality) {
  Random random(3);
  int sliding = 0, unloaded = 0;
  for (int i = 0; i < 1000; ++i) {
    constexpr double kFriction = 0.6;
    const Case c = random_case(random, 5, 0.5, kFriction);
    std::vector<Vector3> forces(c.points.size());
    ASSERT_TRUE(smallest_forces(c.points, c.wrench, c.ground, forces));
    const VectorXd f = in_one(forces);
    const Vector3& n = c.ground.normal;
    const MatrixXd A = sum_matrix(c.points);
    // Inside the cone y = f. On its surface y has the same part along the force, and no part that
    // is perpendicular to the force and to the normal. Unloaded points have no equation.
    MatrixXd equations = MatrixXd::Zero(15, 6);
    VectorXd values = VectorXd::Zero(15);
    for (Index k = 0; k < 5; ++k) {
      const Vector3 force = f.segment<3>(3 * k);
      if (force.norm() < 1e-9 * f.norm()) continue;
      const Vector3 tangent = force - n.dot(force) * n;
      Matrix3 rows = Matrix3::Identity();
      if (tangent.norm() > (1.0 - 1e-9) * kFriction * n.dot(force)) {
        rows << force.normalized().transpose(), n.cross(tangent).normalized().transpose(), 0, 0, 0;
      }
      equations.middleRows<3>(3 * k) = rows * A.middleCols<3>(3 * k).transpose();
      values.segment<3>(3 * k) = rows * force;
    }
    const auto solver = equations.colPivHouseholderQr();
    if (solver.rank() < 6 || solver.maxPivot() * 1e-4 > std::abs(solver.matrixR()(5, 5))) continue;
    const Vector6 x = solver.solve(values);
    const double tolerance = 1e-6 * (f.norm() + x.norm());
    ASSERT_LE((equations * x - values).norm(), tolerance) << i;
    for (Index k = 0; k < 5; ++k) {
      const Vector3 force = f.segment<3>(3 * k),
                    rest = A.middleCols<3>(3 * k).transpose() * x - force;
      // The rest of y is in the polar cone of the friction cone.
      const double up = n.dot(rest);
      ASSERT_LE(kFriction * (rest - up * n).norm(), -up + tolerance) << i;
      if (force.norm() < 1e-9 * f.norm()) {
        ++unloaded;
      } else if (rest.norm() > tolerance) {
        ++sliding;
      }
    }
  }
  EXPECT_GT(sliding, 100);  // so that the conditions were tested
  EXPECT_GT(unloaded, 100);
}

TEST(SmallestForces, DoNotDependOnUnits) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    Case c = random_case(random, 4, 0.2, 0.8);
    std::vector<Vector3> forces(4), scaled(4);
    ASSERT_TRUE(smallest_forces(c.points, c.wrench, c.ground, forces));
    for (Vector3& p : c.points) p *= 1e-3;
    c.wrench = Force(1e3 * c.wrench.moment, 1e6 * c.wrench.force);
    ASSERT_TRUE(smallest_forces(c.points, c.wrench, c.ground, scaled));
    ASSERT_LE((1e-6 * in_one(scaled) - in_one(forces)).norm(), 1e-9 * in_one(forces).norm());
  }
}

/// Three points of a triangle in the plane z = 0; the force acts at (x, 0.2).
bool supports(double x, double friction) {
  const std::vector<Vector3> points{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const Vector3 force = Vector3::UnitZ();
  std::vector<Vector3> forces(3);
  return smallest_forces(points, Force(Vector3(x, 0.2, 0.0).cross(force), force),
                         {Vector3::UnitZ(), friction}, forces);
}

TEST(SmallestForces, ExistExactlyWithinTheSupportPolygon) {
  for (const double friction : {0.0, 0.5, kUnlimited}) {
    for (const double margin : {1e-8, 1e-4, 0.1}) {
      EXPECT_TRUE(supports(margin, friction)) << margin;
      EXPECT_TRUE(supports(0.8 - margin, friction)) << margin;
      EXPECT_FALSE(supports(-margin, friction)) << margin;
      EXPECT_FALSE(supports(0.8 + margin, friction)) << margin;
    }
    EXPECT_TRUE(supports(0.0, friction));
  }
}

TEST(SmallestForces, ExistIfFrictionSuffices) {
  const std::vector<Vector3> points{{1, 0, 0}, {0, 1, 0}, {-1, -1, 0}};
  std::vector<Vector3> forces(3);
  for (const double friction : {0.3, 1.0, 3.0}) {
    const Ground ground{Vector3::UnitZ(), friction};
    const auto possible = [&](double x) {
      return smallest_forces(points, Force(Vector3::Zero(), {x, 0, 1}), ground, forces);
    };
    EXPECT_TRUE(possible(0.999 * friction));
    EXPECT_FALSE(possible(1.001 * friction));
  }
}

TEST(SmallestForces, OfNoWrenchAreZero) {
  std::vector<Vector3> forces(2, Vector3::Ones());
  EXPECT_TRUE(smallest_forces({{1, 0, 0}, {0, 1, 0}}, Force::Zero(), {}, forces));
  EXPECT_EQ(in_one(forces), VectorXd::Zero(6));
}

TEST(SmallestForces, DoNotExistForNumbersThatAreNotFinite) {
  const double nan = std::nan("");
  std::vector<Vector3> forces(1);
  EXPECT_FALSE(
      smallest_forces({{nan, 0, 0}}, Force(Vector3::Zero(), Vector3::UnitZ()), {}, forces));
  EXPECT_FALSE(
      smallest_forces({{0, 0, 0}}, Force(Vector3::Zero(), {0, 0, kUnlimited}), {}, forces));
}

TEST(SmallestForces, DoNotAllocate) {
  Random random(5);
  const Case c = random_case(random, 6, 0.5, 0.7);
  std::vector<Vector3> forces(6);
  const HeapWatch watch;
  smallest_forces(c.points, c.wrench, c.ground, forces);
  EXPECT_EQ(watch.count(), 0U);
}

}  // namespace
}  // namespace spatial_dynamics::test
