// Two bodies at rest, connected by a hinge, and their accelerations under a force on the first:
// once with 3-D vectors [F3D], once with spatial vectors [F6D].
#pragma once

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

/// Bodies B1 and B2 on a revolute joint, all in one frame of any origin. SI units.
struct TwoBodies {
  double m1;   ///< mass of B1
  Vector3 c1;  ///< its centre of mass C1
  Matrix3 I1;  ///< its rotational inertia about C1, positive definite
  double m2;   ///< the same of B2
  Vector3 c2;
  Matrix3 I2;
  Vector3 p;  ///< a point P of the joint's axis
  Vector3 s;  ///< direction of the axis, not zero; joint accelerations are in units of s

  /// Spatial inertia of B1 at the frame's origin.
  [[nodiscard]] Inertia first() const noexcept { return Inertia::from_com(m1, c1, I1); }
  /// Spatial inertia of B2 at the frame's origin.
  [[nodiscard]] Inertia second() const noexcept { return Inertia::from_com(m2, c2, I2); }
  /// The joint's axis as a spatial vector at the frame's origin: rotation about a line through P
  /// moves the origin with p x s.
  [[nodiscard]] Motion axis() const noexcept { return {s, p.cross(s)}; }
};

// ---- [F3D]: forces and accelerations as pairs of 3-D vectors at C1 ------------------------------

/// [f; tau] = [A B; C D] [a1; w1'] with f through C1, tau a moment, a1 the acceleration of C1. [F3D
/// eq. 21, 25]
struct TwoBodyEquation {
  double m2;
  Vector3 s;
  Vector3 r2;          ///< from C2 to P
  Matrix3 J;           ///< inertia of B2 about P [F3D eq. 19]
  Matrix3 K;           ///< [F3D eq. 23]
  double denominator;  ///< s' J s, positive
  Matrix3 A, B, C, D;

  /// [A B; C D]: symmetric and positive definite. Order [linear; angular], unlike spatial vectors.
  [[nodiscard]] Matrix6 matrix() const noexcept;
};

/// A pair of 3-D vectors at C1.
struct LinearAngular {
  Vector3 linear;   ///< a1, m/s^2
  Vector3 angular;  ///< w1', rad/s^2
};

/// J, K, A, B, C, D. Real-time safe.
TwoBodyEquation two_body_equation(const TwoBodies& bodies) noexcept;
/// The acceleration of B1 under `force` through C1 and `moment`. [F3D eq. 26] Real-time safe.
LinearAngular acceleration_of_first(const TwoBodyEquation& equation, const Vector3& force,
                                    const Vector3& moment) noexcept;
/// The joint's acceleration for that acceleration of B1. [F3D eq. 24] Real-time safe.
double joint_acceleration(const TwoBodyEquation& equation, const LinearAngular& first) noexcept;

// ---- [F6D]: the same with spatial vectors, all at one origin ------------------------------------

/// I1 + I2 - I2 s s' I2 / (s' I2 s): the inertia of B1 with B2 connected to it; positive definite.
/// [F6D eq. 7]
Matrix6 inertia_with_hinged_body(const Inertia& I1, const Inertia& I2, const Motion& s) noexcept;

struct TwoBodyResponse {
  Motion a1, a2;      ///< accelerations of B1 and B2
  double alpha;       ///< of the joint
  Force joint_force;  ///< f_J, from B1 on B2: does no work along s
};
/// The accelerations under the force f on B1. [F6D eq. 3, 5, 6, 7] Real-time safe.
TwoBodyResponse push_first(const Inertia& I1, const Inertia& I2, const Motion& s,
                           const Force& f) noexcept;

}  // namespace spatial_dynamics
