// The inertia of one rigid body: ten numbers that map its velocity to its momentum.
#pragma once

#include "spatial_dynamics/spatial/transform.hpp"

namespace spatial_dynamics {

/// Rigid-body inertia, expressed in some frame A at its origin:
///
///     [ I   h~ ]     m  mass,  h = m c  first moment (c the centre of mass),
///     [ h~' m1 ]     I  rotational inertia about A's origin (not about the centre of mass).
///
/// Real-time safe.
struct Inertia {
  double mass;
  Vector3 h;
  Matrix3 I;

  Inertia() = default;  ///< Uninitialised; see Zero().
  Inertia(double m, const Vector3& first_moment, const Matrix3& inertia_about_origin) noexcept
      : mass(m), h(first_moment), I(inertia_about_origin) {}

  static Inertia Zero() noexcept { return {0.0, Vector3::Zero(), Matrix3::Zero()}; }
  /// From mass, centre of mass and the rotational inertia about the centre of mass, by Steiner's
  /// theorem: I = I_com + m c~ c~'. [L4]
  static Inertia from_com(double m, const Vector3& com, const Matrix3& inertia_about_com) noexcept {
    return {m, m * com, inertia_about_com + m * steiner(com)};
  }

  /// Centre of mass; the origin where there is no mass.
  [[nodiscard]] Vector3 com() const noexcept {
    return mass != 0.0 ? Vector3(h / mass) : Vector3::Zero();
  }
  /// Rotational inertia about the centre of mass.
  [[nodiscard]] Matrix3 inertia_about_com() const noexcept { return I - mass * steiner(com()); }

  /// I v: the momentum of the body that moves with v. [L4]
  [[nodiscard]] Force apply(const Motion& v) const noexcept {
    return {I * v.angular + h.cross(v.linear), mass * v.linear - h.cross(v.angular)};
  }

  Inertia& operator+=(const Inertia& other) noexcept {
    mass += other.mass;
    h += other.h;
    I += other.I;
    return *this;
  }

  [[nodiscard]] Matrix6 matrix() const noexcept {
    Matrix6 m;
    m << I, skew(h), skew(h).transpose(), mass * Matrix3::Identity();
    return m;
  }

  /// c~ c~' = (c.c) 1 - c c'.
  static Matrix3 steiner(const Vector3& c) noexcept {
    return c.squaredNorm() * Matrix3::Identity() - c * c.transpose();
  }
};

inline Inertia operator+(Inertia a, const Inertia& b) noexcept { return a += b; }
inline Inertia operator*(double s, const Inertia& a) noexcept {
  return {s * a.mass, s * a.h, s * a.I};
}
inline Force operator*(const Inertia& I, const Motion& v) noexcept { return I.apply(v); }

/// X' I X: an inertia given in B, expressed in A, where X goes from A to B.
Inertia to_parent(const Transform& X, const Inertia& in_b) noexcept;
/// X* I X^-1: an inertia given in A, expressed in B.
Inertia to_child(const Transform& X, const Inertia& in_a) noexcept;

/// Twice the kinetic energy: v' I v.
inline double quadratic_form(const Inertia& I, const Motion& v) noexcept { return dot(v, I * v); }

/// Physical consistency of a rotational inertia about the centre of mass.
struct InertiaValidity {
  bool finite;                 ///< every number is finite
  bool positive_semidefinite;  ///< no eigenvalue below -1e-9 x trace
  /// Each principal moment is at most the sum of the other two, within 1e-9 x trace.
  bool triangle_inequality;
  Vector3 principal_moments;  ///< ascending
};
/// Checks `inertia_about_com`. Real-time safe.
InertiaValidity check_inertia(const Matrix3& inertia_about_com) noexcept;

/// True if the mass is positive, or zero with zero inertia, and the inertia about the centre of
/// mass is physically consistent (positive semi-definite, triangle inequality).
bool is_physical(const Inertia& inertia) noexcept;

}  // namespace spatial_dynamics
