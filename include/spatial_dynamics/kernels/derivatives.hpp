// How torques and accelerations change with the state.
#pragma once

#include "spatial_dynamics/kernels/workspace.hpp"

namespace spatial_dynamics {

/// Results and scratch space of the derivatives. Construct once (allocates). One per thread.
///
/// Derivatives by q are along joint velocities: column k is the rate of change while q moves with v = e_k, also where q has a
/// quaternion. They are analytic, not differences.
struct Derivatives {
  explicit Derivatives(const CompactModel& model);

  MatrixXd by_q;  ///< nv x nv
  MatrixXd by_v;  ///< nv x nv
  MatrixXd
      by_effort;  ///< nv x nv: M for inverse dynamics (by a), M^-1 for forward dynamics (by tau)

  Workspace workspace;
  MatrixXd own[3];  ///< the same with a coordinate for each mimic joint, where there are any
};

/// Derivatives of inverse_dynamics(q, v, a), friction included. Real-time safe.
void inverse_dynamics_derivatives(const CompactModel& model, Derivatives& result, VectorIn q,
                                  VectorIn v, VectorIn a) noexcept;

/// Derivatives of forward_dynamics(q, v, tau); the acceleration itself is then in result.workspace.acceleration. False, and zero,
/// where there is no unique answer. Real-time safe.
[[nodiscard]] bool forward_dynamics_derivatives(const CompactModel& model, Derivatives& result,
                                                VectorIn q, VectorIn v, VectorIn tau) noexcept;

}  // namespace spatial_dynamics
