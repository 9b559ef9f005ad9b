// The factorised mass matrix, and solutions with it.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// Factorises M(q) + diag(added), both in the model's coordinates. If the workspace has this factor
/// already (forward_dynamics() leaves that of M(q)), it is used again. False if the matrix is
/// singular. Real-time safe.
[[nodiscard]] bool factorise_mass_matrix(const CompactModel& model, Workspace& workspace,
                                         VectorIn q, VectorIn added) noexcept;

/// x <- (M + diag(added))^-1 x with the factor in the workspace, nv numbers. Real-time safe.
void solve_factorised(const CompactModel& model, const Workspace& workspace, double* x) noexcept;

/// Computes M(q) + diag(added) for solve_locked(). Real-time safe.
void prepare_locked(const CompactModel& model, Workspace& workspace, VectorIn q,
                    VectorIn added) noexcept;

/// Solves (M + diag(added)) x = torque, where x of the locked coordinates and the torques of the
/// others are given. On entry `x` has what is given; on return all of x, and `torque` all torques.
/// All have nv numbers. False if the matrix is singular. Real-time safe.
[[nodiscard]] bool solve_locked(const CompactModel& model, Workspace& workspace,
                                const std::uint8_t* locked, double* x, double* torque) noexcept;

}  // namespace spatial_dynamics::kernels
