#include "spatial_dynamics/textbook/kinematics.hpp"

#include "joint_space.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// From the world's frame to the frame in which a link's motion is requested.
Transform world_to_frame(const Transform& link, Frame frame) noexcept {
  switch (frame) {
    case Frame::kLocal:
      return link;
    case Frame::kLocalWorldAligned:
      return Transform::translation(link.position());
    case Frame::kWorld:
      break;
  }
  return Transform::Identity();
}

/// A motion of the link, given in the link's frame, expressed in `frame`.
Motion express(const Transform& link, const Motion& local, Frame frame) noexcept {
  switch (frame) {
    case Frame::kLocal:
      return local;
    case Frame::kLocalWorldAligned:
      return {link.E.transpose() * local.angular, link.E.transpose() * local.linear};
    case Frame::kWorld:
      break;
  }
  return link.apply_inverse(local);
}

}  // namespace

void forward_kinematics(const Model& model, Data& data, VectorIn q) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    data.X[to_size(i)] = parent_to_child(joint, q);
    data.X_world[to_size(i)] = data.X[to_size(i)] * data.X_world[to_size(joint.parent)];
  }
}

void forward_kinematics(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  forward_kinematics(model, data, q);
  data.v[0] = Motion::Zero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    // v_i = X v_p + S v  [L4]
    data.v[to_size(i)] =
        data.X[to_size(i)] * data.v[to_size(joint.parent)] + joint_motion(joint, v);
  }
}

void forward_kinematics(const Model& model, Data& data, VectorIn q, VectorIn v,
                        VectorIn a) noexcept {
  forward_kinematics(model, data, q, v);
  data.a[0] = Motion::Zero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    // a_i = X a_p + S a + v_i x S v  [L4]
    data.a[to_size(i)] = data.X[to_size(i)] * data.a[to_size(joint.parent)] +
                         joint_motion(joint, a) + cross(data.v[to_size(i)], joint_motion(joint, v));
  }
}

Transform link_transform(const Model& model, const Data& data, Index link) noexcept {
  const Link& l = model.link(link);
  return l.placement * data.X_world[to_size(l.body)];
}

Motion link_velocity(const Model& model, const Data& data, Index link, Frame frame) noexcept {
  const Link& l = model.link(link);
  return express(link_transform(model, data, link), l.placement * data.v[to_size(l.body)], frame);
}

Motion link_acceleration(const Model& model, const Data& data, Index link, Frame frame) noexcept {
  const Link& l = model.link(link);
  return express(link_transform(model, data, link), l.placement * data.a[to_size(l.body)], frame);
}

Motion link_classical_acceleration(const Model& model, const Data& data, Index link) noexcept {
  const Motion v = link_velocity(model, data, link, Frame::kLocalWorldAligned);
  Motion a = link_acceleration(model, data, link, Frame::kLocalWorldAligned);
  a.linear += v.angular.cross(v.linear);
  return a;
}

void link_jacobian(const Model& model, const Data& data, Index link, Frame frame,
                   Eigen::Ref<Matrix6X> J) noexcept {
  assert(J.cols() == model.nv());
  const Transform target = world_to_frame(link_transform(model, data, link), frame);
  J.setZero();
  for (Index i = model.link(link).body; i > 0; i = model.parent(i)) {
    const Joint& joint = model.joint(i);
    const Transform X = target * data.X_world[to_size(i)].inverse();  // from body i to the target
    for (Index k = 0; k < joint.nv; ++k) {
      J.col(joint.v_index + k) += (X * subspace_column(joint, k)).vector();
    }
  }
}

void link_jacobian_derivative(const Model& model, const Data& data, Index link, Frame frame,
                              Eigen::Ref<Matrix6X> J_dot) noexcept {
  assert(J_dot.cols() == model.nv());
  const Transform target = world_to_frame(link_transform(model, data, link), frame);
  // The velocity of the target frame, in its coordinates.
  const Motion v_link = link_velocity(model, data, link, frame);
  Motion v_target = Motion::Zero();
  if (frame == Frame::kLocal) v_target = v_link;
  if (frame == Frame::kLocalWorldAligned) v_target.linear = v_link.linear;
  J_dot.setZero();
  for (Index i = model.link(link).body; i > 0; i = model.parent(i)) {
    const Joint& joint = model.joint(i);
    const Transform X = target * data.X_world[to_size(i)].inverse();
    // A column is fixed in body i, so it moves with v_i relative to a frame that moves with
    // v_target: d/dt (X S) = (v_i - v_target) x X S.
    const Motion v_relative = X * data.v[to_size(i)] - v_target;
    for (Index k = 0; k < joint.nv; ++k) {
      J_dot.col(joint.v_index + k) += cross(v_relative, X * subspace_column(joint, k)).vector();
    }
  }
}

}  // namespace spatial_dynamics::textbook
