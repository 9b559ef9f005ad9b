// Exponentials and logarithms of rotations and rigid motions, and the integration of quaternions.
#pragma once

#include "spatial_dynamics/spatial/transform.hpp"

namespace spatial_dynamics {

/// The rotation by |w| radians about w: R = exp(w~) = 1 + sin|w|/|w| w~ + (1 - cos|w|)/|w|^2 w~ w~.
/// [PES eq. 52] Accurate for every |w|, zero included. Real-time safe.
Matrix3 exp_rotation(const Vector3& w) noexcept;

/// The rotation by `angle` about the unit vector `axis`. Real-time safe.
Matrix3 axis_rotation(const Vector3& axis, double angle) noexcept;

/// The vector w, |w| <= pi, with exp_rotation(w) = R. At |w| = pi either sign is possible.
/// Real-time safe.
Vector3 log_rotation(const Matrix3& R) noexcept;
/// The same from a unit quaternion; q and -q give the same vector.
Vector3 log_rotation(const Quaternion& q) noexcept;

/// The pose reached from the identity by moving with the constant body velocity `m` for one unit of
/// time, as the transform from the start to the end. Real-time safe.
Transform exp_motion(const Motion& m) noexcept;
/// The body velocity m, |m.angular| <= pi, with exp_motion(m) = X. Real-time safe.
Motion log_motion(const Transform& X) noexcept;

/// q * exp(w dt / 2), normalised: exact for a constant angular velocity w given in the body's
/// frame. Real-time safe.
Quaternion integrate_quaternion(const Quaternion& q, const Vector3& body_angular_velocity,
                                double dt) noexcept;

/// Rotation about the fixed axes x, y, z by roll, pitch, yaw, as URDF writes it: R = Rz(yaw)
/// Ry(pitch) Rx(roll).
Matrix3 rpy_rotation(double roll, double pitch, double yaw) noexcept;

}  // namespace spatial_dynamics
