#include "spatial_dynamics/textbook/derivatives.hpp"

#include <cmath>

#include "body_coriolis.hpp"
#include "joint_space.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"

// Change a coordinate of joint i by a small amount, S being its column. All bodies beyond the joint
// move with S; in frames that move with them, the velocity and acceleration of each such body j
// change by
//
//     dv = w,   da = w' - v_j x w,   with  w = v_p x S,  w' = a_p x S + v_p x w,              (1)
//
// where p is the parent of i, and a is shifted by gravity: for i itself dv = (X v_p) x S and da =
// (X a_p) x S + dv x (v_i - v_p), and from each body to the next da grows by dv x (v_next -
// v_this), which telescopes. Change the coordinate's velocity instead, and
//
//     dv = S,   da = w + v_i x S - v_j x S.                                                   (2)
//
// The force on body j is f = I a + v x* I v. With B(I, v) of body_coriolis.hpp, 2 B w = v x* I w +
// w x* I v - I (v x w), so that the last terms of (1) and (2) cancel with those of B:
//
//     df = I w' + 2 B w   by position,      df = I (w + v_i x S) + 2 B S   by velocity.       (3)
//
// (3) is linear in I and B, so that it holds for the composite of all bodies beyond joint i. At a
// joint nearer to the base, the composite's force also rotates, by S x* f. At a joint further out,
// the coordinate acts by its S, w, w' on the outer composite.

namespace spatial_dynamics::textbook {
namespace {

/// The effect of a coordinate on all bodies beyond its joint, in the frame of the joint's body.
struct Column {
  Motion S;
  Motion w;        // v_p x S
  Motion w_rate;   // a_p x S + v_p x w
  Motion by_rate;  // w + v_i x S
};
Column column_of(const Model& model, const Data& data, Index i, Index k) noexcept {
  const Joint& joint = model.joint(i);
  const std::size_t b = to_size(i), p = to_size(joint.parent);
  const Motion v_p = data.X[b] * data.v[p], a_p = data.X[b] * data.a[p];
  Column c;
  c.S = subspace_column(joint, k);
  c.w = cross(v_p, c.S);
  c.w_rate = cross(a_p, c.S) + cross(v_p, c.w);
  c.by_rate = c.w + cross(data.v[b], c.S);
  return c;
}

/// All entries between coordinate k of joint i and the joints from i to the root, in both
/// directions.
void fill_coordinate(const Model& model, const Data& data, Index i, Index k,
                     InverseDynamicsDerivatives& result) noexcept {
  const Joint& joint = model.joint(i);
  const std::size_t b = to_size(i);
  const Inertia& I = data.Ic[b];
  const Matrix6& B = data.Bc[b];
  const Index own = joint.v_index + k;
  const Column c = column_of(model, data, i, k);
  // This coordinate's column: the force on the composite changes by (3),
  Force by_position = I * c.w_rate + Force(Vector6(2.0 * (B * c.w.vector())));
  Force by_velocity = I * c.by_rate + Force(Vector6(2.0 * (B * c.S.vector())));
  for (Index row = 0; row < joint.nv; ++row) {
    const Motion S = subspace_column(joint, row);
    result.dtau_dq(joint.v_index + row, own) += dot(S, by_position);
    result.dtau_dv(joint.v_index + row, own) += dot(S, by_velocity);
  }
  // and rotates, relative to joints nearer to the base.
  by_position += cross_star(c.S, data.f[b]);
  // This coordinate's row: S' df with the outer composite, as forces on the motions of the inner
  // joints.
  Force inertial = I * c.S;
  Force coriolis(Vector6(2.0 * (B.transpose() * c.S.vector())));
  for (Index j = i; model.parent(j) != 0;) {
    const Transform& X = data.X[to_size(j)];
    by_position = X.apply_transpose(by_position);
    by_velocity = X.apply_transpose(by_velocity);
    inertial = X.apply_transpose(inertial);
    coriolis = X.apply_transpose(coriolis);
    j = model.parent(j);
    const Joint& inner = model.joint(j);
    for (Index m = 0; m < inner.nv; ++m) {
      const Column d = column_of(model, data, j, m);
      const Index other = inner.v_index + m;
      result.dtau_dq(other, own) += dot(d.S, by_position);
      result.dtau_dv(other, own) += dot(d.S, by_velocity);
      result.dtau_dq(own, other) += dot(d.w_rate, inertial) + dot(d.w, coriolis);
      result.dtau_dv(own, other) += dot(d.by_rate, inertial) + dot(d.S, coriolis);
    }
  }
}

/// d/dv of damping * v + friction * tanh(v / speed), on the diagonal.
void add_friction(const Model& model, VectorIn v, MatrixXd& dtau_dv) noexcept {
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.damping == 0.0 && joint.friction == 0.0) continue;
    for (Index k = joint.v_index; k < joint.v_index + joint.nv; ++k) {
      const double t = std::tanh(joint.ratio * v(k) / model.friction_speed());
      const double coulomb = joint.friction * (1.0 - t * t) / model.friction_speed();
      dtau_dv(k, k) += joint.ratio * joint.ratio * (joint.damping + coulomb);
    }
  }
}

}  // namespace

InverseDynamicsDerivatives::InverseDynamicsDerivatives(const Model& model)
    : dtau_dq(MatrixXd::Zero(model.nv(), model.nv())),
      dtau_dv(MatrixXd::Zero(model.nv(), model.nv())),
      dtau_da(MatrixXd::Zero(model.nv(), model.nv())) {}

ForwardDynamicsDerivatives::ForwardDynamicsDerivatives(const Model& model)
    : da_dq(MatrixXd::Zero(model.nv(), model.nv())),
      da_dv(MatrixXd::Zero(model.nv(), model.nv())),
      da_dtau(MatrixXd::Zero(model.nv(), model.nv())),
      inverse(model),
      a(VectorXd::Zero(model.nv())) {}

void inverse_dynamics_derivatives(const Model& model, Data& data, VectorIn q, VectorIn v,
                                  VectorIn a, InverseDynamicsDerivatives& result,
                                  const ExternalForces& external) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  assert(result.dtau_dq.rows() == model.nv());
  result.dtau_da = mass_matrix(model, data, q);  // leaves composite inertias in data.Ic,
  inverse_dynamics(model, data, q, v, a,
                   external);  // v, a and the wrench of each composite in data.f
  result.dtau_dq.setZero();
  result.dtau_dv.setZero();
  for (Index i = 0; i < model.body_count(); ++i) {
    data.Bc[to_size(i)] = body_coriolis(model.inertia(i), data.v[to_size(i)]);
  }
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const std::size_t b = to_size(i);
    for (Index k = 0; k < model.joint(i).nv; ++k) fill_coordinate(model, data, i, k, result);
    const Matrix6 X = data.X[b].motion_matrix();
    data.Bc[to_size(model.parent(i))] += X.transpose() * data.Bc[b] * X;
  }
  add_friction(model, v, result.dtau_dv);
}

bool forward_dynamics_derivatives(const Model& model, Data& data, VectorIn q, VectorIn v,
                                  VectorIn tau, ForwardDynamicsDerivatives& result,
                                  const ExternalForces& external) noexcept {
  result.a = forward_dynamics(model, data, q, v, tau, external);
  if (data.singular || !mass_matrix_inverse(model, data, q, result.da_dtau)) {
    result.da_dq.setZero();
    result.da_dv.setZero();
    result.da_dtau.setZero();
    return false;
  }
  inverse_dynamics_derivatives(model, data, q, v, result.a, result.inverse, external);
  // Eigen's blocked product allocates when matrices are large, and so does a product of
  // expressions; this product never does. M^-1 is symmetric, and its columns are nearer together
  // than its rows.
  result.da_dq.noalias() = result.da_dtau.transpose().lazyProduct(result.inverse.dtau_dq);
  result.da_dv.noalias() = result.da_dtau.transpose().lazyProduct(result.inverse.dtau_dv);
  result.da_dq *= -1.0;
  result.da_dv *= -1.0;
  return true;
}

}  // namespace spatial_dynamics::textbook
