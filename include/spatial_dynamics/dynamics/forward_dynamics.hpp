// Forward dynamics: the acceleration of the robot under given torques.
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

/// The acceleration a (nv numbers, rad/s^2 or m/s^2) with inverse_dynamics(q, v, a, external) =
/// tau. Computed with the factorised mass matrix, or with articulated bodies in O(n) if the tree is
/// deep. With mimic joints O(n^3), and Dense::kMassMatrix must be reserved. If the acceleration is
/// not unique, the result is zero and data.singular() is true. Real-time safe; throws
/// std::invalid_argument for a wrong size.
const VectorXd& forward_dynamics(const Model& model, Data& data, VectorView q, VectorView v,
                                 VectorView tau,
                                 const ExternalForces& external = kNoExternalForces);

}  // namespace spatial_dynamics
