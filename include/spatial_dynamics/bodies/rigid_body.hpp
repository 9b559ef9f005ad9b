// A rigid body integrated over time by its angular momentum. [PES eq. 30 to 62]
#pragma once

#include "spatial_dynamics/bodies/point_masses.hpp"

namespace spatial_dynamics {

/// The scheme of [PES eq. 37 to 41], in the laboratory's frame: the angular velocity is computed
/// from the angular momentum where it is needed and is not integrated. First order in dt; without
/// forces the angular momentum stays exactly constant, and the body stays rigid to rounding.
class RigidBody {
 public:
  /// A body of known mass (kg) and inertia about its centre of mass (kg m^2, laboratory's axes),
  /// with its centre, the centre's velocity and the angular momentum about it. `offsets` are the
  /// points of interest from the centre: those where forces act. Allocates; throws
  /// std::invalid_argument if the mass is not positive or the inertia is that of a line.
  RigidBody(double mass, const Matrix3& inertia, const Vector3& center, const Vector3& velocity,
            const Vector3& angular_momentum, std::vector<Vector3> offsets = {});
  /// The rigid body of these points, with their momentum and angular momentum. Allocates; throws
  /// std::invalid_argument as require_rigid_body() does.
  static RigidBody from_points(const PointMasses& points);

  /// One step of dt seconds; `outer` acts on each of the points of interest. Does not allocate,
  /// unless `outer` does.
  void step(double dt, const PointForce& outer = nullptr);

  [[nodiscard]] double mass() const noexcept { return mass_; }
  [[nodiscard]] const Vector3& center() const noexcept { return center_; }
  [[nodiscard]] const Vector3& velocity() const noexcept { return velocity_; }
  [[nodiscard]] const Vector3& angular_momentum() const noexcept { return L_; }
  [[nodiscard]] const Matrix3& inertia() const noexcept { return I_; }
  [[nodiscard]] double time() const noexcept { return time_; }
  /// Omega, from I Omega = L. [PES eq. 37] Real-time safe.
  [[nodiscard]] Vector3 angular_velocity() const noexcept;
  /// Points of interest, from the centre.
  [[nodiscard]] const std::vector<Vector3>& offsets() const noexcept { return offsets_; }
  /// Position and velocity of point k. [PES eq. 21] Its mass is 0 unless the body was made from
  /// points. Real-time safe.
  [[nodiscard]] PointMass point(std::size_t k) const noexcept;
  /// 1/2 M |U|^2 + 1/2 Omega.L, J. Real-time safe.
  [[nodiscard]] double kinetic_energy() const noexcept;

 private:
  double mass_;
  Matrix3 I_;
  Vector3 center_, velocity_, L_;
  std::vector<Vector3> offsets_;
  std::vector<double> point_masses_;  // per offset; zeros if unknown
  double time_ = 0.0;
};

}  // namespace spatial_dynamics
