// C(q, v), the factorisation of the velocity terms that keeps M' - 2C skew-symmetric.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// C with C v = bias - gravity and dM/dt - 2 C skew-symmetric. O(n depth). Real-time safe.
const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

}  // namespace spatial_dynamics
