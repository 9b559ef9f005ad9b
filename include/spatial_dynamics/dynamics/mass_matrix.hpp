// M(q), its inverse, and C(q, v).
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// All results are nv x nv. Real-time safe; throws std::invalid_argument for a wrong size or if the
// memory of the result is not reserved.

/// The joint-space inertia matrix M(q), both triangles, including rotors. O(n depth).
const MatrixXd& mass_matrix(const Model& model, Data& data, VectorView q);

/// M(q)^-1, both triangles. Zero, with data.singular(), if M is singular. O(n^2 depth).
const MatrixXd& mass_matrix_inverse(const Model& model, Data& data, VectorView q);

/// C with C v = bias_torque - gravity_torque and dM/dt - 2 C skew-symmetric. O(n depth).
const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorView q, VectorView v);

}  // namespace spatial_dynamics
