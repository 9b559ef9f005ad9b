#include "spatial_dynamics/bodies/point_masses.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "bodies/random_points.hpp"
#include "spatial_dynamics/spatial/inertia.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(PES, AngularMomentumIsTheSameWithAndWithoutTheCentresVelocity) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const PointMasses points = random_points(random, 7);
    const Vector3 center = center_of_mass(points);
    Vector3 eq10 = Vector3::Zero();
    for (const PointMass& p : points) eq10 += p.mass * (p.position - center).cross(p.velocity);
    EXPECT_LT((angular_momentum(points) - eq10).norm(), kRounding);
  }
}

TEST(PES, ARigidBodysAngularMomentumIsItsInertiaTimesItsAngularVelocity) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    PointMasses points = random_points(random, 7);
    const Vector3 omega = random_vector3(random);
    move_rigidly(points, random_vector3(random), omega);
    EXPECT_LT((angular_momentum(points) - inertia_tensor(points) * omega).norm(), kRounding);
  }
}

TEST(PES, InertiaTensorEqualsComponentFormulaAndSpatialInertia) {
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    const PointMasses points = random_points(random, 5);
    const Vector3 center = center_of_mass(points);
    Matrix3 eq28 = Matrix3::Zero();
    Inertia sum = Inertia::Zero();
    for (const PointMass& p : points) {
      const Vector3 x = p.position - center;
      Matrix3 one;
      one << x(1) * x(1) + x(2) * x(2), -x(0) * x(1), -x(0) * x(2),  //
          -x(1) * x(0), x(0) * x(0) + x(2) * x(2), -x(1) * x(2),     //
          -x(2) * x(0), -x(2) * x(1), x(0) * x(0) + x(1) * x(1);
      eq28 += p.mass * one;
      sum += Inertia::from_com(p.mass, p.position, Matrix3::Zero());
    }
    EXPECT_LT((inertia_tensor(points) - eq28).norm(), kRounding);
    EXPECT_LT((inertia_tensor(points) - sum.inertia_about_com()).norm(), kRounding);
    EXPECT_LT((center - sum.com()).norm(), kRounding);
  }
}

TEST(PES, PointsOfAPlaneHaveAPositiveDefiniteInertia) {
  // They need not span space; a plane is enough.
  Random random(4);
  PointMasses points = random_points(random, 3);
  for (PointMass& p : points) p.position.z() = 0.0;
  EXPECT_FALSE(is_collinear(inertia_tensor(points)));
  EXPECT_NO_THROW(require_rigid_body(points));
  const Matrix3 I = inertia_tensor(points);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix3>(I).eigenvalues().minCoeff(), 0.01);
}

std::string rejection(const PointMasses& points) {
  try {
    require_rigid_body(points);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PES, CollinearPointsAreRejected) {
  Random random(5);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector3 direction = random_unit_vector(random), start = 10.0 * random_vector3(random);
    PointMasses points;
    for (const double along : {0.0, 0.3, 1.0, 2.5}) {
      points.push_back({1.0, start + along * direction, Vector3::Zero()});
    }
    EXPECT_NE(rejection(points).find("on a line"), std::string::npos) << rejection(points);
    points[1].position += 1e-3 * random_unit_vector(random).cross(direction).normalized();
    EXPECT_EQ(rejection(points), "");
  }
}

TEST(PES, TooFewPointsAndBadMassesAreRejected) {
  Random random(6);
  EXPECT_NE(rejection({}).find("at least three"), std::string::npos);
  EXPECT_NE(rejection(random_points(random, 2)).find("at least three"), std::string::npos);
  for (const double mass : {0.0, -1.0, std::nan("")}) {
    PointMasses points = random_points(random, 4);
    points[2].mass = mass;
    EXPECT_NE(rejection(points).find("point 2"), std::string::npos);
  }
}

/// Eq. 52 as printed: a projection, and a rotation in the plane normal to it.
Matrix3 equation_52(const Vector3& omega, double dt) {
  const double speed = omega.norm();
  const Vector3 axis = omega / speed;
  const Matrix3 P = axis * axis.transpose();
  return P + std::cos(speed * dt) * (Matrix3::Identity() - P) + std::sin(speed * dt) * skew(axis);
}

TEST(PES, TheExactRotationIsEquation52) {
  Random random(7);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector3 omega = 5.0 * random_vector3(random);
    for (const double dt : {1e-9, 1e-3, 0.5, 2.0}) {
      // The sine of an angle of 15 has the rounding error of the angle.
      EXPECT_LT((exp_rotation(dt * omega) - equation_52(omega, dt)).norm(), 1e-14);
    }
  }
}

TEST(PES, TheRotationsLimitAtRestIsNoRotation) {
  EXPECT_EQ(exp_rotation(0.1 * Vector3::Zero()), Matrix3(Matrix3::Identity()));
  // For small dt the first order remains: R = E + dt (Omega x).
  for (const double speed : {1e-3, 1e-6, 1e-9, 1e-160, 1e-300}) {
    const Vector3 turn = speed * Vector3(0.6, 0.0, 0.8);
    const Matrix3 rest = exp_rotation(turn) - Matrix3::Identity() - skew(turn);
    EXPECT_LE(rest.norm(), speed * speed + 2e-16 * std::min(1.0, speed * 1e9));
  }
}

TEST(PES, TheRotationsRateIsTheCrossProduct) {
  // dX/dt = Omega x X [eq. 54], by a central difference whose error is dt^2 |Omega|^3 / 6.
  Random random(8);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector3 omega = random_vector3(random), x = random_vector3(random);
    const double t = uniform(random, -2, 2), h = 1e-4;
    const Vector3 rate =
        (exp_rotation((t + h) * omega) * x - exp_rotation((t - h) * omega) * x) / (2 * h);
    EXPECT_LT((rate - omega.cross(exp_rotation(t * omega) * x)).norm(), 3e-8);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
