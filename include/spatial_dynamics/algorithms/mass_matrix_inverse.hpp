// M(q)^-1, without M.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// result = M(q)^-1 x, armature included, by one sweep in and one out: M^-1 = (1 - H psi K)* D^-1 (1 - H psi K). [SOA track 7]
/// O(n); with mimic joints the reduced G' M G is formed and solved, O(n^3). False, and a result of zero, where no inverse exists.
/// `result` may not be x. Real-time safe.
[[nodiscard]] bool apply_mass_matrix_inverse(const Model& model, Data& data, VectorIn q, VectorIn x,
                                             Eigen::Ref<VectorXd> result) noexcept;

/// result (nv x nv) = M(q)^-1, symmetric bit for bit. O(n^2), which is its size; with mimic joints O(n^3). As above otherwise.
[[nodiscard]] bool mass_matrix_inverse(const Model& model, Data& data, VectorIn q,
                                       Eigen::Ref<MatrixXd> result) noexcept;

}  // namespace spatial_dynamics
