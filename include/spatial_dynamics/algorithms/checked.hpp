// The same algorithms for callers that would rather have an exception than an assertion: each checks the sizes of its arguments
// and throws std::invalid_argument with a sentence, then calls its namesake. For the edge of a program, not for its loop.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics::checked {

/// Allocates only for the sentence of an exception. Throws std::invalid_argument.
const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                 const ExternalForces& external = kNoExternalForces);
/// As above.
const VectorXd& forward_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau, const ExternalForces& external = kNoExternalForces);
/// As above.
const VectorXd& bias_torque(const Model& model, Data& data, VectorIn q, VectorIn v);
/// As above.
const VectorXd& gravity_torque(const Model& model, Data& data, VectorIn q);
/// As above.
const MatrixXd& mass_matrix(const Model& model, Data& data, VectorIn q);
/// As above.
const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorIn q, VectorIn v);

}  // namespace spatial_dynamics::checked
