// Spatial motion vectors: velocities, accelerations and joint axes, in the order [angular; linear].
#pragma once

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// A spatial velocity or acceleration, expressed in some frame at that frame's origin.
/// Angular part in rad/s (rad/s^2), linear part in m/s (m/s^2). Real-time safe.
struct Motion {
  Vector3 angular;
  Vector3 linear;

  Motion() = default;  ///< Uninitialised, as Eigen's vectors are; see Zero().
  Motion(const Vector3& angular_part, const Vector3& linear_part) noexcept
      : angular(angular_part), linear(linear_part) {}
  explicit Motion(const Vector6& v) noexcept : angular(v.head<3>()), linear(v.tail<3>()) {}

  static Motion Zero() noexcept { return {Vector3::Zero(), Vector3::Zero()}; }

  [[nodiscard]] Vector6 vector() const noexcept {
    Vector6 v;
    v << angular, linear;
    return v;
  }

  Motion& operator+=(const Motion& m) noexcept {
    angular += m.angular;
    linear += m.linear;
    return *this;
  }
  Motion& operator-=(const Motion& m) noexcept {
    angular -= m.angular;
    linear -= m.linear;
    return *this;
  }
};

inline Motion operator+(const Motion& a, const Motion& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline Motion operator-(const Motion& a, const Motion& b) noexcept {
  return {a.angular - b.angular, a.linear - b.linear};
}
inline Motion operator-(const Motion& a) noexcept { return {-a.angular, -a.linear}; }
inline Motion operator*(double s, const Motion& m) noexcept {
  return {s * m.angular, s * m.linear};
}
inline Motion operator*(const Motion& m, double s) noexcept { return s * m; }

/// v x m = [w~ 0; v~ w~] m: the rate of change of a motion vector m that moves with velocity v.
/// [L4]
inline Motion cross(const Motion& v, const Motion& m) noexcept {
  return {v.angular.cross(m.angular), v.linear.cross(m.angular) + v.angular.cross(m.linear)};
}

/// The matrix of the same product: cross_matrix(v) * m.vector() = (v x m).vector(). Its negative
/// transpose is the matrix of x*.
inline Matrix6 cross_matrix(const Motion& v) noexcept {
  Matrix6 m;
  m << skew(v.angular), Matrix3::Zero(), skew(v.linear), skew(v.angular);
  return m;
}

}  // namespace spatial_dynamics
