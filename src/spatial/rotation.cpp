#include "spatial_dynamics/spatial/rotation.hpp"

#include <cmath>

namespace spatial_dynamics {
namespace {

// Below this angle the closed forms of the coefficients lose digits by cancellation, so that their
// series are used.
constexpr double kSeriesAngle = 0.3;

/// sin(x) / x.
double sinc(double x) noexcept { return x == 0.0 ? 1.0 : std::sin(x) / x; }

/// (1 - cos t) / t^2, without cancellation.
double cosine_coefficient(double t) noexcept {
  const double s = sinc(0.5 * t);
  return 0.5 * s * s;
}

/// (t - sin t) / t^3.
double sine_coefficient(double t) noexcept {
  if (t >= kSeriesAngle) return (t - std::sin(t)) / (t * t * t);
  // sum of (-t^2)^k / (2k + 3)!; the first omitted term is below 1e-19 of the sum
  const double s = -t * t;
  return 1.0 / 6 +
         s * (1.0 / 120 +
              s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800 + s / 6227020800.0))));
}

/// (1 - t/2 cot(t/2)) / t^2.
double cotangent_coefficient(double t) noexcept {
  if (t >= kSeriesAngle) return (1.0 - 0.5 * t / std::tan(0.5 * t)) / (t * t);
  // sum of |B_2k| t^(2k-2) / (2k)! with Bernoulli's numbers; the first omitted term is below 1e-16
  // of the sum
  const double s = t * t;
  return 1.0 / 12 +
         s * (1.0 / 720 +
              s * (1.0 / 30240 +
                   s * (1.0 / 1209600 + s * (1.0 / 47900160 + s * (691.0 / 1307674368000.0)))));
}

}  // namespace

Matrix3 exp_rotation(const Vector3& w) noexcept {
  const double angle = w.norm();
  const Matrix3 W = skew(w);
  return Matrix3::Identity() + sinc(angle) * W + cosine_coefficient(angle) * (W * W);
}

Matrix3 axis_rotation(const Vector3& axis, double angle) noexcept {
  // [PES eq. 52] with the axis separate from the angle, so that large angles keep their digits.
  const double s = std::sin(angle);
  const double half = std::sin(0.5 * angle);
  const Matrix3 W = skew(axis);
  return Matrix3::Identity() + s * W + (2.0 * half * half) * (W * W);
}

Vector3 log_rotation(const Quaternion& q) noexcept {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vector3 v = sign * q.vec();
  const double w = sign * q.w();
  const double n = v.norm();
  // 2 atan2(n, w) / n tends to 2 / w as n vanishes.
  return n > 1e-150 ? Vector3((2.0 * std::atan2(n, w) / n) * v) : Vector3((2.0 / w) * v);
}

Vector3 log_rotation(const Matrix3& R) noexcept { return log_rotation(Quaternion(R)); }

Transform exp_motion(const Motion& m) noexcept {
  // The path of the origin: the integral of exp(w~ s) v over s from 0 to 1.
  const double angle = m.angular.norm();
  const Matrix3 W = skew(m.angular);
  const Vector3 position = m.linear + cosine_coefficient(angle) * (W * m.linear) +
                           sine_coefficient(angle) * (W * (W * m.linear));
  return Transform::from_pose(exp_rotation(m.angular), position);
}

Motion log_motion(const Transform& X) noexcept {
  const Vector3 w = log_rotation(X.rotation());
  const Matrix3 W = skew(w);
  return {w, X.r - 0.5 * (W * X.r) + cotangent_coefficient(w.norm()) * (W * (W * X.r))};
}

Quaternion integrate_quaternion(const Quaternion& q, const Vector3& body_angular_velocity,
                                double dt) noexcept {
  const Vector3 half = (0.5 * dt) * body_angular_velocity;
  const double angle = half.norm();
  const Vector3 v = sinc(angle) * half;
  return (q * Quaternion(std::cos(angle), v.x(), v.y(), v.z())).normalized();
}

Matrix3 rpy_rotation(double roll, double pitch, double yaw) noexcept {
  const double cr = std::cos(roll), sr = std::sin(roll);
  const double cp = std::cos(pitch), sp = std::sin(pitch);
  const double cy = std::cos(yaw), sy = std::sin(yaw);
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

}  // namespace spatial_dynamics
