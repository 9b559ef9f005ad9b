// How does the robot accelerate under these torques? Articulated bodies, in three sweeps.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// a with inverse_dynamics(q, v, a, external) = tau. O(n) by articulated bodies [SOA track 6, 8]; with mimic joints the
/// reduced G' M G is formed and solved, O(n^3).
/// Where no unique acceleration exists (massless ends) data.singular is set and the answer is zero: never NaN from
/// finite input. Real-time safe.
const VectorXd& forward_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau,
                                 const ExternalForces& external = kNoExternalForces) noexcept;

}  // namespace spatial_dynamics
