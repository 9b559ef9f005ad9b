// Point masses: total mass, momentum and inertia, whether or not they form one rigid body. [PES]
#pragma once

#include <functional>
#include <vector>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// A point mass. SI units, in the laboratory's frame.
struct PointMass {
  double mass = 0.0;
  Vector3 position = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
};
using PointMasses = std::vector<PointMass>;

/// An external force on point `k`, N. [PES eq. 1: F_k]
using PointForce = std::function<Vector3(std::size_t k, const PointMass& point, double time)>;

// All functions are real-time safe; those that use the centre of mass need a positive total mass.

/// M. [PES eq. 4]
double total_mass(const PointMasses& points) noexcept;
/// X_cm. [PES eq. 5]
Vector3 center_of_mass(const PointMasses& points) noexcept;
/// U_cm. [PES eq. 6]
Vector3 center_velocity(const PointMasses& points) noexcept;
/// L about the centre of mass. [PES eq. 20]
Vector3 angular_momentum(const PointMasses& points) noexcept;
/// I about the centre of mass, along the laboratory's axes. [PES eq. 26 to 28]
Matrix3 inertia_tensor(const PointMasses& points) noexcept;
/// Sum of 1/2 M_k |U_k|^2, J.
double kinetic_energy(const PointMasses& points) noexcept;

/// True if a body with this inertia about its centre of mass is a line, within a millionth of its
/// length: its angular velocity does not follow from its angular momentum. [PES eq. 29] Real-time
/// safe.
bool is_collinear(const Matrix3& inertia_about_center) noexcept;

/// Rejects points that cannot be a rigid body: fewer than three points, masses that are not
/// positive and finite, all points on a line. Allocates; throws std::invalid_argument.
void require_rigid_body(const PointMasses& points);

}  // namespace spatial_dynamics
