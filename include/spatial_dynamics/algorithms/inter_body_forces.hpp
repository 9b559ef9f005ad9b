// What the joints bear while the robot accelerates freely.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// Forward dynamics, and with it the wrench that the parent exerts on each body through its joint, in the body's frame at its
/// origin: f_i = IA_i a_i + pA_i, drive and reaction together, without another recursion. [SOA track 8: inter-body forces]
/// [0] is what holds the base. The accelerations are in data.acceleration, the wrenches in data.f, both with external forces and
/// gravity. O(n); with mimic joints by inverse dynamics of the accelerations found. Zero throughout where data.singular.
/// Real-time safe.
const std::vector<Force>& inter_body_forces(
    const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
    const ExternalForces& external = kNoExternalForces) noexcept;

}  // namespace spatial_dynamics
