// Coordinate transforms of spatial vectors between two frames, in the compact form (E, r).
#pragma once

#include "spatial_dynamics/spatial/force.hpp"

namespace spatial_dynamics {

/// The transform X from frame A to frame B, where B's origin is at r in A's coordinates and
/// E rotates A's coordinates into B's. As a 6x6 matrix on motions,
///
///     X = [ E      0 ]      X* = X^-T = [ E  -E r~ ]   on forces.
///         [ -E r~  E ]                  [ 0   E    ]
///
/// The pose of B in A is therefore: rotation E', position r. Real-time safe.
struct Transform {
  Matrix3 E;
  Vector3 r;

  Transform() = default;  ///< Uninitialised; see Identity().
  Transform(const Matrix3& e, const Vector3& position) noexcept : E(e), r(position) {}

  static Transform Identity() noexcept { return {Matrix3::Identity(), Vector3::Zero()}; }
  /// From the pose of B in A: B's axes are the columns of `rotation`, its origin is `position`.
  static Transform from_pose(const Matrix3& rotation, const Vector3& position) noexcept {
    return {rotation.transpose(), position};
  }
  static Transform translation(const Vector3& position) noexcept {
    return {Matrix3::Identity(), position};
  }

  /// Rotation of the pose of B in A: transforms coordinates in B to coordinates in A.
  [[nodiscard]] Matrix3 rotation() const noexcept { return E.transpose(); }
  /// Position of B's origin in A.
  [[nodiscard]] const Vector3& position() const noexcept { return r; }

  /// X^-1: from B to A.
  [[nodiscard]] Transform inverse() const noexcept { return {E.transpose(), -(E * r)}; }

  /// A point given in A, in B's coordinates.
  [[nodiscard]] Vector3 point(const Vector3& p) const noexcept { return E * (p - r); }
  /// A point given in B, in A's coordinates.
  [[nodiscard]] Vector3 inverse_point(const Vector3& p) const noexcept {
    return E.transpose() * p + r;
  }

  /// X m: a motion given in A, in B.
  [[nodiscard]] Motion apply(const Motion& m) const noexcept {
    return {E * m.angular, E * (m.linear - r.cross(m.angular))};
  }
  /// X^-1 m: a motion given in B, in A.
  [[nodiscard]] Motion apply_inverse(const Motion& m) const noexcept {
    const Vector3 angular = E.transpose() * m.angular;
    return {angular, E.transpose() * m.linear + r.cross(angular)};
  }
  /// X* f = X^-T f: a force given in A, in B.
  [[nodiscard]] Force apply_star(const Force& f) const noexcept {
    return {E * (f.moment - r.cross(f.force)), E * f.force};
  }
  /// X' f: a force given in B, in A. The step of every recursion towards the root. [L4 RNEA]
  [[nodiscard]] Force apply_transpose(const Force& f) const noexcept {
    const Vector3 force = E.transpose() * f.force;
    return {E.transpose() * f.moment + r.cross(force), force};
  }

  /// The 6x6 matrix X, which acts on motions.
  [[nodiscard]] Matrix6 motion_matrix() const noexcept {
    Matrix6 X;
    X << E, Matrix3::Zero(), -E * skew(r), E;
    return X;
  }
  /// The 6x6 matrix X* = X^-T, which acts on forces.
  [[nodiscard]] Matrix6 force_matrix() const noexcept {
    Matrix6 X;
    X << E, -E * skew(r), Matrix3::Zero(), E;
    return X;
  }
};

/// X_CB * X_BA = X_CA.
inline Transform operator*(const Transform& cb, const Transform& ba) noexcept {
  return {cb.E * ba.E, ba.r + ba.E.transpose() * cb.r};
}
inline Motion operator*(const Transform& X, const Motion& m) noexcept { return X.apply(m); }

}  // namespace spatial_dynamics
