// What every recursion needs of a joint: S v and S' f, with a mimic joint's ratio folded in.
#pragma once

#include <cassert>

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// Column k of the joint's motion subspace, as a motion of the child per unit of coordinate k.
inline Motion subspace_column(const Joint& joint, Index k) noexcept {
  return Motion(Vector6(joint.ratio * joint.S.col(k)));
}

/// S x, where x is a vector of joint velocities or accelerations: the child's motion against its parent.
inline Motion joint_motion(const Joint& joint, VectorIn x) noexcept {
  Vector6 sum = x(joint.v_index) * joint.S.col(0);
  for (Index k = 1; k < joint.nv; ++k) sum += x(joint.v_index + k) * joint.S.col(k);
  return Motion(Vector6(joint.ratio * sum));
}

/// tau += S' f: the share of the wrench f that the joint's drive must bear.
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

}  // namespace spatial_dynamics
