// Forward dynamics by articulated bodies, in three passes.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// a with inverse_dynamics(q, v, a, external) = tau. O(n) by articulated bodies [SOA track 6, 8];
/// with mimic joints the reduced G' M G is formed and solved, O(n^3). If no unique acceleration
/// exists (massless moving links at the end of a chain), data.singular is set and the result is
/// zero; finite input never gives NaN. Real-time safe.
const VectorXd& forward_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau,
                                 const ExternalForces& external = kNoExternalForces) noexcept;

/// Forward dynamics, and the wrench that the parent exerts on each body through its joint, in the
/// body's frame at its origin: f_i = IA_i a_i + pA_i, drive plus reaction, without another
/// recursion. [SOA track 8: inter-body forces] [0] is the wrench that holds the base. The
/// accelerations are in data.acceleration, the wrenches in data.f, both with external forces and
/// gravity. O(n); with mimic joints by inverse dynamics at these accelerations. All zero if
/// data.singular. Real-time safe.
const std::vector<Force>& inter_body_forces(
    const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
    const ExternalForces& external = kNoExternalForces) noexcept;

}  // namespace spatial_dynamics::textbook
