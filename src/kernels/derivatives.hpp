// Derivatives of inverse and forward dynamics.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// Results and scratch space of the derivatives. Construct once (allocates). One per thread.
///
/// Derivatives with respect to q are along joint velocities: column k is the rate of change while q
/// moves with v = e_k, also if q has a quaternion. They are analytic, not differences. External
/// wrenches are constant in their body's frame.
struct Derivatives {
  explicit Derivatives(const CompactModel& model);

  MatrixXd by_q;  ///< nv x nv
  MatrixXd by_v;  ///< nv x nv
  MatrixXd
      by_effort;  ///< nv x nv: M for inverse dynamics (by a), M^-1 for forward dynamics (by tau)
  VectorXd acceleration;  ///< of forward dynamics

  MatrixXd torque_by_q, torque_by_v;  ///< nv x nv: of inverse dynamics, for forward dynamics
  MatrixXd unreduced[3];              ///< in unreduced coordinates, for models with mimic joints
  /// Entries of coordinates on different branches are zero in by_q, by_v and by_effort; the same
  /// for the matrices that the kernel writes for forward dynamics, and for `unreduced`.
  bool has_zeros = false, torques_have_zeros = false, unreduced_have_zeros = false;
};

/// Derivatives of inverse_dynamics(q, v, a, external), friction included. Real-time safe.
void inverse_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                  Derivatives& result, VectorIn q, VectorIn v, VectorIn a,
                                  const Force* external = nullptr) noexcept;

/// Derivatives of forward_dynamics(q, v, tau, external); the acceleration is in
/// result.acceleration. Returns false and sets zeros where there is no unique solution. Real-time
/// safe.
[[nodiscard]] bool forward_dynamics_derivatives(const CompactModel& model, Workspace& workspace,
                                                Derivatives& result, VectorIn q, VectorIn v,
                                                VectorIn tau,
                                                const Force* external = nullptr) noexcept;

}  // namespace spatial_dynamics::kernels
