// Analytic derivatives of inverse and forward dynamics.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

// Derivatives with respect to q are in the tangent space, where a change of q is a velocity: column
// k is the rate of change along integrate(q, e_k, t) at t = 0, so all matrices are nv x nv. For
// revolute and prismatic joints this is d/dq itself. External wrenches are constant in their body's
// frame. Friction, armature, gravity and mimic joints are included.

/// d tau / d(q, v, a). Construct once (allocates).
struct InverseDynamicsDerivatives {
  explicit InverseDynamicsDerivatives(const Model& model);
  MatrixXd dtau_dq;
  MatrixXd dtau_dv;
  MatrixXd dtau_da;  ///< M
};

/// d a / d(q, v, tau). Construct once (allocates).
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Model& model);
  MatrixXd da_dq;
  MatrixXd da_dv;
  MatrixXd da_dtau;  ///< M^-1

  InverseDynamicsDerivatives inverse;  ///< of inverse dynamics at that acceleration
  VectorXd a;                          ///< the acceleration
};

/// O(n depth). Also computes the torque, data.tau. Real-time safe.
void inverse_dynamics_derivatives(const Model& model, Data& data, VectorIn q, VectorIn v,
                                  VectorIn a, InverseDynamicsDerivatives& result,
                                  const ExternalForces& external = kNoExternalForces) noexcept;

/// From the derivatives of inverse dynamics at a = forward_dynamics(q, v, tau): da/dq = -M^-1
/// dtau/dq, da/dv = -M^-1 dtau/dv, da/dtau = M^-1. O(n^3), two matrix products. Returns false and
/// sets zeros where no unique acceleration exists. Real-time safe.
[[nodiscard]] bool forward_dynamics_derivatives(
    const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
    ForwardDynamicsDerivatives& result,
    const ExternalForces& external = kNoExternalForces) noexcept;

}  // namespace spatial_dynamics::textbook
