// Inertia of a body with others connected to it by joints: any symmetric 6x6 matrix, in blocks.
#pragma once

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

/// A symmetric 6x6 inertia
///
///     [ I  H ]    I, M symmetric 3x3, H any 3x3.
///     [ H' M ]
///
/// A rigid body has H = h~, M = m 1; an articulated body has neither form. [SOA track 6] Real-time
/// safe.
struct ArticulatedInertia {
  Matrix3 I;
  Matrix3 H;
  Matrix3 M;

  ArticulatedInertia() = default;  ///< Uninitialised; see Zero().
  ArticulatedInertia(const Matrix3& i, const Matrix3& h, const Matrix3& m) noexcept
      : I(i), H(h), M(m) {}
  explicit ArticulatedInertia(const Inertia& rigid) noexcept
      : I(rigid.I), H(skew(rigid.h)), M(rigid.mass * Matrix3::Identity()) {}

  static ArticulatedInertia Zero() noexcept {
    return {Matrix3::Zero(), Matrix3::Zero(), Matrix3::Zero()};
  }

  [[nodiscard]] Force apply(const Motion& v) const noexcept {
    return {I * v.angular + H * v.linear, H.transpose() * v.angular + M * v.linear};
  }

  ArticulatedInertia& operator+=(const ArticulatedInertia& other) noexcept {
    I += other.I;
    H += other.H;
    M += other.M;
    return *this;
  }

  [[nodiscard]] Matrix6 matrix() const noexcept {
    Matrix6 m;
    m << I, H, H.transpose(), M;
    return m;
  }
};

inline ArticulatedInertia operator+(ArticulatedInertia a, const ArticulatedInertia& b) noexcept {
  return a += b;
}
inline Force operator*(const ArticulatedInertia& I, const Motion& v) noexcept { return I.apply(v); }

/// X' IA X: an inertia given in B, expressed in A, where X goes from A to B.
ArticulatedInertia to_parent(const Transform& X, const ArticulatedInertia& in_b) noexcept;

}  // namespace spatial_dynamics
