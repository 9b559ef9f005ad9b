// The operations of the recursions at one joint; they include the ratio of a mimic joint.
#pragma once

#include <cassert>

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// Column k of the joint's motion subspace, as a motion of the child per unit of coordinate k.
inline Motion subspace_column(const Joint& joint, Index k) noexcept {
  return Motion(Vector6(joint.ratio * joint.S.col(k)));
}

/// S x, where x is a vector of joint velocities or accelerations: the child's motion relative to
/// its parent.
inline Motion joint_motion(const Joint& joint, VectorIn x) noexcept {
  Vector6 sum = x(joint.v_index) * joint.S.col(0);
  for (Index k = 1; k < joint.nv; ++k) sum += x(joint.v_index + k) * joint.S.col(k);
  return Motion(Vector6(joint.ratio * sum));
}

/// tau += S' f: the component of the wrench f that the joint's drive supplies.
inline void add_joint_force(const Joint& joint, const Force& f, VectorXd& tau) noexcept {
  for (Index k = 0; k < joint.nv; ++k) {
    tau(joint.v_index + k) += dot(subspace_column(joint, k), f);
  }
}

inline void assert_sizes([[maybe_unused]] const Model& model, [[maybe_unused]] const Data& data,
                         [[maybe_unused]] Index q_size, [[maybe_unused]] Index v_size) noexcept {
  assert(q_size == model.nq() && v_size == model.nv());
  assert(data.tau.size() == model.nv() && to_size(model.body_count()) == data.X.size());
}

/// From data.IA[b]: U = IA S, D = S' U + armature, inverted. False if the joint moves no inertia.
/// Real-time safe.
[[nodiscard]] bool factorise_joint(const Joint& joint, Data& data, std::size_t b) noexcept;

/// IA - U D^-1 U': the inertia of body b that acts on its parent through the joint. [SOA track 6:
/// Riccati] Real-time safe.
ArticulatedInertia inertia_through_joint(const Data& data, std::size_t b) noexcept;

}  // namespace spatial_dynamics::textbook
