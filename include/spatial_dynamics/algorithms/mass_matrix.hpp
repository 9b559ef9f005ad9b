// M(q), by composite rigid bodies.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// The joint-space inertia matrix, symmetric (both halves filled), armature included, reduced to G' M G with mimic joints.
/// O(n depth). [SOA track 5] Real-time safe.
const MatrixXd& mass_matrix(const Model& model, Data& data, VectorIn q) noexcept;

}  // namespace spatial_dynamics
