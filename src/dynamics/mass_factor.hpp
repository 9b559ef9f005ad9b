// The factorised mass matrix of a Data, for control/.
#pragma once

#include <cstdint>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// Real-time safe. Dense::kMassMatrix must be reserved.

/// Factorises M(q) + diag(added). The last factor is used again for the same arguments, and so is
/// that of forward_dynamics() at the same q if `added` is zero. Returns false if the matrix is
/// singular; the functions below may then not be called.
[[nodiscard]] bool factorise_mass_matrix(const Model& model, Data& data, const VectorXd& q,
                                         const VectorXd& added);

/// x <- (M(q) + diag(added))^-1 x of the last factorise_mass_matrix(): call it again after any
/// other function of the Data. nv numbers.
void solve_factorised(Data& data, double* x) noexcept;

/// The acceleration that a torque of 1 on coordinate i adds while the coordinates between it and
/// the base are locked. At most entry (i, i) of the inverse. The same condition.
double inverse_pivot(Data& data, Index i) noexcept;

/// Computes M(q) + diag(added) for solve_locked().
void prepare_locked(const Model& model, Data& data, const VectorXd& q, const VectorXd& added);

/// Solves (M + diag(added)) x = torque of the last prepare_locked(), where x of the locked
/// coordinates and the torques of the others are given. On entry `x` has what is given; on return
/// all of x, and `torque` all torques. nv numbers each. Returns false if the matrix is singular.
[[nodiscard]] bool solve_locked(Data& data, const std::uint8_t* locked, double* x,
                                double* torque) noexcept;

}  // namespace spatial_dynamics
