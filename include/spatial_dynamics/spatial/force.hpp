// Spatial force vectors: wrenches and momenta, in the order [moment; force].
#pragma once

#include "spatial_dynamics/spatial/motion.hpp"

namespace spatial_dynamics {

/// A wrench (N m, N) or a momentum, expressed in some frame at that frame's origin. Real-time safe.
/// A Force is the dual of a Motion: the two cannot be added, and they transform differently.
struct Force {
  Vector3 moment;
  Vector3 force;

  Force() = default;  ///< Uninitialised, as Eigen's vectors are; see Zero().
  Force(const Vector3& moment_part, const Vector3& force_part) noexcept
      : moment(moment_part), force(force_part) {}
  explicit Force(const Vector6& f) noexcept : moment(f.head<3>()), force(f.tail<3>()) {}

  static Force Zero() noexcept { return {Vector3::Zero(), Vector3::Zero()}; }

  [[nodiscard]] Vector6 vector() const noexcept {
    Vector6 f;
    f << moment, force;
    return f;
  }

  Force& operator+=(const Force& f) noexcept {
    moment += f.moment;
    force += f.force;
    return *this;
  }
  Force& operator-=(const Force& f) noexcept {
    moment -= f.moment;
    force -= f.force;
    return *this;
  }
};

inline Force operator+(const Force& a, const Force& b) noexcept {
  return {a.moment + b.moment, a.force + b.force};
}
inline Force operator-(const Force& a, const Force& b) noexcept {
  return {a.moment - b.moment, a.force - b.force};
}
inline Force operator-(const Force& a) noexcept { return {-a.moment, -a.force}; }
inline Force operator*(double s, const Force& f) noexcept { return {s * f.moment, s * f.force}; }
inline Force operator*(const Force& f, double s) noexcept { return s * f; }

/// v x* f = [w~ v~; 0 w~] f = -(v x)' f: the rate of change of a force vector f that moves with
/// velocity v. [L4]
inline Force cross_star(const Motion& v, const Force& f) noexcept {
  return {v.angular.cross(f.moment) + v.linear.cross(f.force), v.angular.cross(f.force)};
}

/// The power of the force f along the motion v. It is the same in every frame.
inline double dot(const Motion& v, const Force& f) noexcept {
  return v.angular.dot(f.moment) + v.linear.dot(f.force);
}

}  // namespace spatial_dynamics
