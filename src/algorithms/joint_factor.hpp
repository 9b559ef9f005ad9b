// What articulated bodies do at one joint: factorise it, and pass on what it does not let slip.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// From data.IA[b]: U = IA S, D = S' U + armature, inverted. False if the joint moves nothing. Real-time safe.
[[nodiscard]] bool factorise_joint(const Joint& joint, Data& data, std::size_t b) noexcept;

/// IA - U D^-1 U': what the parent feels of body b through its joint. [SOA track 6: Riccati] Real-time safe.
ArticulatedInertia felt_through_joint(const Data& data, std::size_t b) noexcept;

}  // namespace spatial_dynamics
