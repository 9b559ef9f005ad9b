// M(q) by composite rigid bodies, M(q)^-1 without M, and C(q, v), the factorisation of the velocity
// terms that keeps M' - 2C skew-symmetric.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// The joint-space inertia matrix, symmetric (both halves filled), armature included, reduced to G'
/// M G with mimic joints. O(n depth). [SOA track 5] Real-time safe.
const MatrixXd& mass_matrix(const Model& model, Data& data, VectorIn q) noexcept;

/// result = M(q)^-1 x, armature included, by a backward and a forward pass: M^-1 = (1 - H psi K)*
/// D^-1 (1 - H psi K). [SOA track 7] O(n); with mimic joints the reduced G' M G is formed and
/// solved, O(n^3). Returns false and sets zeros where no inverse exists. `result` may not be x.
/// Real-time safe.
[[nodiscard]] bool apply_mass_matrix_inverse(const Model& model, Data& data, VectorIn q, VectorIn x,
                                             Eigen::Ref<VectorXd> result) noexcept;

/// result (nv x nv) = M(q)^-1, symmetric bit for bit. O(n^2); with mimic joints O(n^3). Otherwise
/// as above.
[[nodiscard]] bool mass_matrix_inverse(const Model& model, Data& data, VectorIn q,
                                       Eigen::Ref<MatrixXd> result) noexcept;

/// C with C v = bias - gravity and dM/dt - 2 C skew-symmetric. O(n depth). Real-time safe.
const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

}  // namespace spatial_dynamics::textbook
