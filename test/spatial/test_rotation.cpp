#include "spatial_dynamics/spatial/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kRotationTolerance = 2e-15;
const double kAngles[] = {0.0, 1e-300, 1e-12, 1e-7, 1e-3, 0.1, 0.29999, 0.30001, 1.0, 2.0, 3.1};

/// The series of the matrix exponential: slow, and independent of Rodrigues' formula.
template <typename Matrix>
Matrix exponential_series(const Matrix& A) {
  Matrix sum = Matrix::Identity(), term = Matrix::Identity();
  for (int k = 1; k < 60; ++k) {
    term = (term * A / static_cast<double>(k)).eval();
    sum += term;
  }
  return sum;
}

TEST(Rotation, ExponentialEqualsItsSeries) {
  Random random(1);
  for (const double angle : kAngles) {
    const Vector3 w = angle * random_unit_vector(random);
    // The series sums terms up to 3.1^3 / 3! in size.
    EXPECT_LT((exp_rotation(w) - exponential_series<Matrix3>(skew(w))).norm(), 1e-14) << angle;
    EXPECT_LT((exp_rotation(w) * exp_rotation(w).transpose() - Matrix3::Identity()).norm(),
              kRotationTolerance);
  }
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  Random random(2);
  for (const double angle : kAngles) {
    const Vector3 w = angle * random_unit_vector(random);
    EXPECT_LT((log_rotation(exp_rotation(w)) - w).norm(), 1e-14) << angle;
  }
}

TEST(Rotation, LogarithmAtAHalfTurnIsOfLengthPi) {
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector3 w = M_PI * random_unit_vector(random);
    const Vector3 back = log_rotation(exp_rotation(w));
    EXPECT_NEAR(back.norm(), M_PI, 1e-14);
    EXPECT_LT(std::min((back - w).norm(), (back + w).norm()), 1e-13);
  }
}

TEST(Rotation, BothSignsOfAQuaternionHaveOneLogarithm) {
  Random random(4);
  const Quaternion q(random_rotation(random));
  EXPECT_EQ(log_rotation(q), log_rotation(Quaternion(Eigen::Vector4d(-q.coeffs()))));
  EXPECT_EQ(log_rotation(Quaternion::Identity()), Vector3(0, 0, 0));
}

TEST(Rotation, AboutAnAxisIsTheExponential) {
  Random random(5);
  for (const double angle : {-7.0, -1.0, 0.0, 1e-9, 0.5, 3.0, 100.0}) {
    const Vector3 axis = random_unit_vector(random);
    const Matrix3 R = axis_rotation(axis, angle);
    EXPECT_LT((R - Eigen::AngleAxisd(angle, axis).toRotationMatrix()).norm(), kRotationTolerance);
    EXPECT_LT((R * axis - axis).norm(), kRotationTolerance);
  }
}

TEST(Rotation, RollPitchYawAreAboutFixedXyzInOrder) {
  Random random(6);
  for (int trial = 0; trial < kTrials; ++trial) {
    const double r = uniform(random, -3, 3), p = uniform(random, -3, 3), y = uniform(random, -3, 3);
    const Matrix3 R = axis_rotation(Vector3::UnitZ(), y) * axis_rotation(Vector3::UnitY(), p) *
                      axis_rotation(Vector3::UnitX(), r);
    EXPECT_LT((rpy_rotation(r, p, y) - R).norm(), kRotationTolerance);
  }
}

TEST(RigidMotion, ExponentialEqualsItsSeries) {
  // In 4x4 form the pose reached in one unit of time is exp [w~ v; 0 0].
  Random random(7);
  for (const double angle : kAngles) {
    const Motion m(angle * random_unit_vector(random), random_vector3(random));
    Eigen::Matrix4d twist = Eigen::Matrix4d::Zero();
    twist.topLeftCorner<3, 3>() = skew(m.angular);
    twist.topRightCorner<3, 1>() = m.linear;
    const Eigen::Matrix4d pose = exponential_series<Eigen::Matrix4d>(twist);
    const Transform X = exp_motion(m);
    EXPECT_LT((X.rotation() - pose.topLeftCorner<3, 3>()).norm(), 1e-14) << angle;
    EXPECT_LT((X.position() - pose.topRightCorner<3, 1>()).norm(), 1e-14) << angle;
  }
}

TEST(RigidMotion, LogarithmUndoesTheExponential) {
  Random random(8);
  for (const double angle : kAngles) {
    const Motion m(angle * random_unit_vector(random), random_vector3(random));
    EXPECT_LT((log_motion(exp_motion(m)) - m).vector().norm(), 2e-14) << angle;
  }
}

TEST(Quaternion, IntegrationIsExactForAConstantAngularVelocity) {
  Random random(9);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Quaternion q(random_rotation(random));
    const Vector3 w = 5.0 * random_vector3(random);
    const Quaternion end = integrate_quaternion(q, w, 0.7);
    EXPECT_LT((end.toRotationMatrix() - q.toRotationMatrix() * exp_rotation(0.7 * w)).norm(),
              1e-14);
    EXPECT_NEAR(end.norm(), 1.0, kRotationTolerance);
  }
}

TEST(Quaternion, StaysUnitOverAMillionSteps) {
  Quaternion q = Quaternion::Identity();
  for (int step = 0; step < 1000000; ++step) q = integrate_quaternion(q, {1.0, -2.0, 0.5}, 1e-3);
  EXPECT_NEAR(q.norm(), 1.0, kRotationTolerance);
  // Each step rounds by about one epsilon: a random walk of 1e6 steps stays below 1e3 epsilon, 1e6
  // at worst.
  const Matrix3 exact = exp_rotation(1000.0 * Vector3(1.0, -2.0, 0.5));
  EXPECT_LT((q.toRotationMatrix() - exact).norm(), 1e6 * 2.3e-16);
}

}  // namespace
}  // namespace spatial_dynamics::test
