// Analytic derivatives of torques and accelerations with respect to the state.
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// A derivative with respect to q is taken along joint velocities: column k is the rate of change
// while q moves with v = e_k. All matrices are therefore nv x nv, also if q has a quaternion; for
// revolute and prismatic joints this is d/dq itself. An external wrench is constant in its body's
// frame, so it rotates with the body. Friction, rotors, gravity and mimic joints are included.
//
// Real-time safe; throws std::invalid_argument for a wrong size or if the memory of the result is
// not reserved.

/// d tau / d(q, v, a), nv x nv each.
struct InverseDynamicsDerivatives {
  const MatrixXd& dtau_dq;
  const MatrixXd& dtau_dv;
  const MatrixXd& dtau_da;  ///< M
};

/// d a / d(q, v, tau), nv x nv each, and the acceleration a itself.
struct ForwardDynamicsDerivatives {
  const MatrixXd& da_dq;
  const MatrixXd& da_dv;
  const MatrixXd& da_dtau;  ///< M^-1
  const VectorXd& a;
};

/// Derivatives of inverse_dynamics(). O(n depth).
const InverseDynamicsDerivatives& inverse_dynamics_derivatives(
    const Model& model, Data& data, VectorView q, VectorView v, VectorView a,
    const ExternalForces& external = kNoExternalForces);

/// Derivatives of forward_dynamics(). Zero, with data.singular(), if the acceleration is not
/// unique. O(n^2 depth).
const ForwardDynamicsDerivatives& forward_dynamics_derivatives(
    const Model& model, Data& data, VectorView q, VectorView v, VectorView tau,
    const ExternalForces& external = kNoExternalForces);

}  // namespace spatial_dynamics
