#include "spatial_dynamics/bodies/rigid_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bodies/random_points.hpp"

namespace spatial_dynamics::test {
namespace {

PointMasses points_of(const RigidBody& body) {
  PointMasses points;
  for (std::size_t k = 0; k < body.offsets().size(); ++k) points.push_back(body.point(k));
  return points;
}

PointMasses tumbling_points(Random& random) {
  PointMasses points = random_points(random, 6);
  move_rigidly(points, {0.3, -0.2, 0.1}, {2.0, -1.0, 3.0});
  return points;
}

TEST(PES, WithoutForcesAngularMomentumIsConservedToRounding) {
  Random random(1);
  const PointMasses start = tumbling_points(random);
  RigidBody body = RigidBody::from_points(start);
  const Vector3 L = body.angular_momentum(), U = body.velocity();
  constexpr int kSteps = 100000;
  for (int step = 0; step < kSteps; ++step) body.step(1e-3);
  EXPECT_EQ(body.angular_momentum(), L);
  EXPECT_EQ(body.velocity(), U);
  // As for the points [eq. 20]; each of 1e5 rotations rounds a few times, by 2e-16 of numbers up to
  // 10.
  EXPECT_LT((angular_momentum(points_of(body)) - L).norm(), kSteps * 1e-15);
  const Vector3 center = center_of_mass(start) + kSteps * 1e-3 * U;
  EXPECT_LT((body.center() - center).norm(), kSteps * 1e-15);
}

TEST(PES, RotatedInertiaEqualsInertiaOfRotatedPoints) {
  // Eq. 62 against eq. 59, and the body stays rigid [eq. 60].
  Random random(2);
  RigidBody body = RigidBody::from_points(tumbling_points(random));
  const std::vector<Vector3> before = body.offsets();
  constexpr int kSteps = 10000;
  for (int step = 0; step < kSteps; ++step) body.step(1e-3);
  EXPECT_LT((body.inertia() - inertia_tensor(points_of(body))).norm(), kSteps * 1e-14);
  for (std::size_t j = 0; j < before.size(); ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      EXPECT_NEAR((body.offsets()[j] - body.offsets()[k]).norm(), (before[j] - before[k]).norm(),
                  kSteps * 1e-15);
    }
  }
  EXPECT_GT((body.offsets()[0] - before[0]).norm(), 0.01);
}

/// The largest energy error in two seconds of free tumbling.
double energy_error(const PointMasses& points, double dt) {
  RigidBody body = RigidBody::from_points(points);
  const double start = body.kinetic_energy();
  EXPECT_NEAR(start, kinetic_energy(points), 1e-13 * start);
  double worst = 0.0;
  for (int step = 0; step < static_cast<int>(std::lround(2.0 / dt)); ++step) {
    body.step(dt);
    worst = std::max(worst, std::abs(body.kinetic_energy() - start));
  }
  return worst;
}

TEST(PES, TheEnergyErrorIsOfFirstOrderInTheStep) {
  Random random(3);
  const PointMasses points = tumbling_points(random);
  const double coarse = energy_error(points, 2e-3), middle = energy_error(points, 1e-3),
               fine = energy_error(points, 5e-4);
  // Halving dt halves it, up to second-order terms at dt = 1e-3.
  EXPECT_NEAR(coarse / middle, 2.0, 0.05);
  EXPECT_NEAR(middle / fine, 2.0, 0.05);
}

TEST(PES, ForcesAtPointsChangeMomentaByTheirSumAndTheirTorque) {
  // With forces independent of position, eq. 40 and 41 are sums.
  Random random(4);
  RigidBody body = RigidBody::from_points(tumbling_points(random));
  std::vector<Vector3> forces;
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = 0; k < body.offsets().size(); ++k) {
    forces.push_back(random_vector3(random));
    sum += forces.back();
  }
  const PointForce outer = [&](std::size_t k, const PointMass&, double) { return forces[k]; };
  const Vector3 U = body.velocity();
  constexpr double kDt = 1e-3;
  Vector3 L = body.angular_momentum();
  for (int step = 0; step < 100; ++step) {
    body.step(kDt, outer);
    for (std::size_t k = 0; k < forces.size(); ++k) L += kDt * body.offsets()[k].cross(forces[k]);
  }
  EXPECT_LT((body.velocity() - U - 0.1 / body.mass() * sum).norm(), 1e-14);
  EXPECT_LT((body.angular_momentum() - L).norm(), 1e-13);
}

TEST(PES, TheWeightOfATopRotatesItsAngularMomentumAboutTheVertical) {
  // A fast top on a tip that moves freely in the plane: weight and support make a horizontal
  // moment, so that L keeps its vertical part exactly, and its axis precesses at |tau| / (L sin) =
  // m g d / L.
  const double mass = 2.0, d = 0.3, g = 9.81, spin = 200.0;
  const Matrix3 I = Vector3(0.05, 0.05, 0.08).asDiagonal();
  const double tilt = 0.5;
  const Matrix3 R = Eigen::AngleAxisd(tilt, Vector3::UnitY()).toRotationMatrix();
  const Vector3 axis = R * Vector3::UnitZ();
  const Vector3 L = I(2, 2) * spin * axis;
  // A moment of two forces: up at the tip, down at the centre.
  RigidBody top(mass, R * I * R.transpose(), Vector3::Zero(), Vector3::Zero(), L,
                {-d * axis, Vector3::Zero()});
  const PointForce moment = [&](std::size_t k, const PointMass&, double) -> Vector3 {
    return {0, 0, k == 0 ? mass * g : -mass * g};
  };
  constexpr double kDt = 1e-5, kTime = 0.5;
  for (int step = 0; step < static_cast<int>(kTime / kDt + 0.5); ++step) top.step(kDt, moment);
  EXPECT_LT((top.center()).norm(), 1e-12);
  EXPECT_NEAR(top.angular_momentum().z(), L.z(), 1e-11);
  const double turned = std::atan2(top.angular_momentum().y(), top.angular_momentum().x());
  const double expected = mass * g * d / (I(2, 2) * spin) * kTime;
  // Gyroscopic approximation: its error is of the order of the square of slow over fast, (0.37 /
  // 200)^2, plus nutation of as much.
  EXPECT_NEAR(turned, expected, 0.01 * expected);
}

/// A body with moments 1, 2, 3 kg m^2 that spins with these body components of Omega; its principal
/// axes are points 0, 1, 2.
RigidBody spinning(const Vector3& omega) {
  const Vector3 moments(1.0, 2.0, 3.0);
  return {1.0,
          moments.asDiagonal(),
          Vector3::Zero(),
          Vector3::Zero(),
          moments.cwiseProduct(omega),
          {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()}};
}

/// Omega along the body's axes.
Vector3 body_omega(const RigidBody& body) {
  const Vector3 omega = body.angular_velocity();
  return {omega.dot(body.offsets()[0]), omega.dot(body.offsets()[1]), omega.dot(body.offsets()[2])};
}

TEST(PES, OnlyRotationAboutIntermediateAxisIsUnstable) {
  for (int axis = 0; axis < 3; ++axis) {
    Vector3 omega = Vector3::Constant(1e-3);
    omega(axis) = 1.0;
    RigidBody body = spinning(omega);
    double least = 1.0;
    for (int step = 0; step < 40000; ++step) {
      body.step(1e-3);
      least = std::min(least, body_omega(body)(axis));
    }
    if (axis == 1) {
      EXPECT_LT(least, -0.98);  // flipped, up to the first-order error of the energy
    } else {
      EXPECT_GT(least, 0.999);
    }
  }
}

TEST(PES, AWobbleOfTheIntermediateAxisGrowsByEulersEquations) {
  // With Omega = (a, 1, b) small in a and b: a' = -b, b' = -a / 3, so that a grows with exp(t /
  // sqrt 3).
  const double rate = 1.0 / std::sqrt(3.0), small = 1e-5;
  RigidBody body = spinning({small, 1.0, -rate * small});
  constexpr double kDt = 1e-4, kTime = 6.0;
  for (int step = 0; step < static_cast<int>(kTime / kDt + 0.5); ++step) body.step(kDt);
  EXPECT_NEAR(body_omega(body).x() / small, std::exp(rate * kTime), 0.01 * std::exp(rate * kTime));
}

TEST(PES, LinesZeroMassAndNoPointsAreRejected) {
  const Matrix3 line = Vector3(0.0, 1.0, 1.0).asDiagonal();
  const Vector3 zero = Vector3::Zero();
  EXPECT_THROW(RigidBody(1.0, line, zero, zero, zero), std::invalid_argument);
  EXPECT_THROW(RigidBody(0.0, Matrix3::Identity(), zero, zero, zero), std::invalid_argument);
  EXPECT_THROW(RigidBody::from_points({}), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test
