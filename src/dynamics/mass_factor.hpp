// The factorised mass matrix of a Data, for control/.
#pragma once

#include <cstdint>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// Real-time safe. Dense::kMassMatrix must be reserved.

/// Factorises M(q) + diag(added). What is known of it from the last call is used again: the factor,
/// or M(q). Returns the number of the factor, or 0 if the matrix is singular; the functions below
/// may then not be called.
[[nodiscard]] std::uint64_t factorise_mass_matrix(const Model& model, Data& data, const VectorXd& q,
                                                  const VectorXd& added);

/// The number of the factor that the Data has now; 0: none. Other functions discard it.
[[nodiscard]] std::uint64_t mass_factor(const Model& model, Data& data);

// Of the factor that the Data has:

/// x <- (M(q) + diag(added))^-1 x, nv numbers.
void solve_factorised(Data& data, double* x) noexcept;

/// The accelerations that a torque of 1 on a coordinate adds to it while the coordinates between it
/// and the base are locked: nv numbers, at most the diagonal of the inverse.
[[nodiscard]] const double* inverse_pivots(Data& data) noexcept;

/// Solves (M + diag(added)) x = torque of the last factorise_mass_matrix(), where x of the locked
/// coordinates and the torques of the others are given. On entry `x` has what is given; on return
/// all of x, and `torque` all torques. nv numbers each. The factor may be lost. Returns false if
/// the matrix is singular.
[[nodiscard]] bool solve_locked(Data& data, const std::uint8_t* locked, double* x,
                                double* torque) noexcept;

}  // namespace spatial_dynamics
