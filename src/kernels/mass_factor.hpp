// The factorised mass matrix, and solutions with it.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// Factorises M(q) + diag(added), both in the model's coordinates. What the workspace already has
/// of it is used again: the factor, or M(q). Sets workspace.factor. False if the matrix is
/// singular. Real-time safe.
[[nodiscard]] bool factorise_mass_matrix(const CompactModel& model, Workspace& workspace,
                                         VectorIn q, VectorIn added) noexcept;

/// x <- (M + diag(added))^-1 x with the factor in the workspace, nv numbers. Real-time safe.
void solve_factorised(const CompactModel& model, Workspace& workspace, double* x) noexcept;

/// Solves (M + diag(added)) x = torque of the last factorise_mass_matrix(), where x of the locked
/// coordinates and the torques of the others are given. On entry `x` has what is given; on return
/// all of x, and `torque` all torques. All have nv numbers. The factor is then lost. False if the
/// matrix is singular. Real-time safe.
[[nodiscard]] bool solve_locked(const CompactModel& model, Workspace& workspace,
                                const std::uint8_t* locked, double* x, double* torque) noexcept;

}  // namespace spatial_dynamics::kernels
