#include "spatial_dynamics/textbook/forward_dynamics.hpp"

#include "cholesky.hpp"
#include "joint_space.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// First pass, forward: velocities, and the bias force of each body.
void velocity_pass(const Model& model, Data& data, VectorIn q, VectorIn v,
                   const ExternalForces& external) noexcept {
  data.v[0] = Motion::Zero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    data.X[b] = parent_to_child(joint, q);
    const Motion v_joint = joint_motion(joint, v);
    data.v[b] = data.X[b] * data.v[to_size(joint.parent)] + v_joint;
    data.c[b] = cross(data.v[b], v_joint);
    const Inertia& I = model.inertia(i);
    data.IA[b] = ArticulatedInertia(I);
    data.pA[b] = cross_star(data.v[b], I * data.v[b]);
    if (!external.empty()) data.pA[b] -= external.on_body(i);
  }
}

/// Second pass, backward: articulated inertias and bias forces. [SOA track 6: Riccati]
[[nodiscard]] bool articulated_pass(const Model& model, Data& data, VectorIn tau) noexcept {
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i), p = to_size(joint.parent);
    if (!factorise_joint(joint, data, b)) return false;
    // u = tau - S' pA
    const Vector6 pA = data.pA[b].vector();
    data.u[b] = tau.segment(joint.v_index, joint.nv) -
                data.friction.segment(joint.v_index, joint.nv) -
                joint.S.transpose().lazyProduct(pA);
    if (p == 0) continue;
    // Ia = IA - U D^-1 U',  pa = pA + Ia c + U D^-1 u
    const auto gain = data.U[b].lazyProduct(data.D_inverse[b]).eval();
    const ArticulatedInertia Ia = inertia_through_joint(data, b);
    const Force pa = data.pA[b] + Ia * data.c[b] + Force(Vector6(gain.lazyProduct(data.u[b])));
    data.IA[p] += to_parent(data.X[b], Ia);
    data.pA[p] += data.X[b].apply_transpose(pa);
  }
  return true;
}

/// Third pass, forward: accelerations.
void acceleration_pass(const Model& model, Data& data) noexcept {
  data.a[0] = Motion(Vector3::Zero(), -model.gravity());
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    const Motion a = data.X[b] * data.a[to_size(joint.parent)] + data.c[b];
    // qdd = D^-1 (u - U' a)
    const Vector6 a_vector = a.vector();
    const JointVector drive = data.u[b] - data.U[b].transpose().lazyProduct(a_vector);
    data.acceleration.segment(joint.v_index, joint.nv) = data.D_inverse[b].lazyProduct(drive);
    data.a[b] = a + joint_motion(joint, data.acceleration);
  }
}

/// With mimic joints: (G' M G) a = tau - bias, where mass_matrix and inverse_dynamics are already
/// reduced by G.
[[nodiscard]] bool solve_reduced(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau, const ExternalForces& external) noexcept {
  data.acceleration = tau - inverse_dynamics(model, data, q, v, data.zero, external);
  data.M_factor = mass_matrix(model, data, q);
  if (!factorise_in_place(data.M_factor)) return false;
  solve_in_place(data.M_factor, data.acceleration);
  return true;
}

}  // namespace

const VectorXd& forward_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau, const ExternalForces& external) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  assert(tau.size() == model.nv());
  if (model.has_mimic()) {
    data.singular = !solve_reduced(model, data, q, v, tau, external);
  } else {
    friction_torque(model, data, v);
    velocity_pass(model, data, q, v, external);
    data.singular = !articulated_pass(model, data, tau);
    if (!data.singular) acceleration_pass(model, data);
  }
  // Overflow of a tiny inertia or a huge effort counts as singular, too.
  if (!data.acceleration.allFinite()) data.singular = true;
  if (data.singular) data.acceleration.setZero();
  return data.acceleration;
}

const std::vector<Force>& inter_body_forces(const Model& model, Data& data, VectorIn q, VectorIn v,
                                            VectorIn tau, const ExternalForces& external) noexcept {
  forward_dynamics(model, data, q, v, tau, external);
  if (data.singular) {
    for (Force& f : data.f) f = Force::Zero();
    return data.f;
  }
  if (model.has_mimic()) {
    inverse_dynamics(model, data, q, v, data.acceleration, external);
    return data.f;
  }
  data.f[0] = model.inertia(0) * data.a[0];
  if (!external.empty()) data.f[0] -= external.on_body(0);
  for (Index i = 1; i < model.body_count(); ++i) {
    const std::size_t b = to_size(i);
    data.f[b] = data.IA[b] * data.a[b] + data.pA[b];
    if (model.parent(i) == 0) data.f[0] += data.X[b].apply_transpose(data.f[b]);
  }
  return data.f;
}

}  // namespace spatial_dynamics::textbook
