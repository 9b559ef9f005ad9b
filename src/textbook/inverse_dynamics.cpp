#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

#include <cmath>

#include "joint_space.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// Forward pass: velocities, accelerations and the net force on each body. [L4 RNEA]
void forward_pass(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                  const ExternalForces& external) noexcept {
  data.v[0] = Motion::Zero();
  data.a[0] = Motion(Vector3::Zero(), -model.gravity());  // a_0 = -a_g represents gravity [L4]
  data.f[0] = model.inertia(0) * data.a[0];
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i), p = to_size(joint.parent);
    const Transform& X = data.X[b] = parent_to_child(joint, q);
    const Motion v_joint = joint_motion(joint, v);
    // v_i = X v_p + S v
    data.v[b] = X * data.v[p] + v_joint;
    // a_i = X a_p + S a + v_i x S v
    data.a[b] = X * data.a[p] + joint_motion(joint, a) + cross(data.v[b], v_joint);
    // f_i = I a + v x* I v
    const Inertia& I = model.inertia(i);
    data.f[b] = I * data.a[b] + cross_star(data.v[b], I * data.v[b]);
  }
  if (external.empty()) return;
  for (Index i = 0; i < model.body_count(); ++i) data.f[to_size(i)] -= external.on_body(i);
}

/// Backward pass: tau_i = S' f_i, and each joint's wrench is added to the parent's. [L4 RNEA]
void backward_pass(const Model& model, Data& data, VectorXd& tau) noexcept {
  tau.setZero();
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Joint& joint = model.joint(i);
    add_joint_force(joint, data.f[to_size(i)], tau);
    // f_p += X' f_i
    data.f[to_size(joint.parent)] += data.X[to_size(i)].apply_transpose(data.f[to_size(i)]);
  }
}

}  // namespace

const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                 const ExternalForces& external) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  assert(a.size() == model.nv());
  forward_pass(model, data, q, v, a, external);
  backward_pass(model, data, data.tau);
  data.tau += friction_torque(model, data, v);
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    // A rotor of inertia J at a mimic joint accelerates with ratio * a, and its torque acts with
    // ratio again.
    const double rotor = joint.armature * joint.ratio * joint.ratio;
    data.tau.segment(joint.v_index, joint.nv) += rotor * a.segment(joint.v_index, joint.nv);
  }
  return data.tau;
}

const VectorXd& bias_torque(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  forward_pass(model, data, q, v, data.zero, kNoExternalForces);
  backward_pass(model, data, data.bias);
  return data.bias;
}

const VectorXd& gravity_torque(const Model& model, Data& data, VectorIn q) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  forward_pass(model, data, q, data.zero, data.zero, kNoExternalForces);
  backward_pass(model, data, data.gravity);
  return data.gravity;
}

const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v) noexcept {
  return friction_torque(model, data, v, v);
}

const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v,
                                VectorIn coulomb_velocity) noexcept {
  assert_sizes(model, data, model.nq(), v.size());
  assert(coulomb_velocity.size() == model.nv());
  data.friction.setZero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.damping == 0.0 && joint.friction == 0.0) continue;
    for (Index k = joint.v_index; k < joint.v_index + joint.nv; ++k) {
      const double viscous = joint.damping * joint.ratio * v(k);
      const double direction =
          std::tanh(joint.ratio * coulomb_velocity(k) / model.friction_speed());
      data.friction(k) += joint.ratio * (viscous + joint.friction * direction);
    }
  }
  return data.friction;
}

}  // namespace spatial_dynamics::textbook
