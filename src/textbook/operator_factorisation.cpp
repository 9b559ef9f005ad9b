#include "spatial_dynamics/textbook/operator_factorisation.hpp"

#include <stdexcept>

#include "joint_space.hpp"
#include "spatial_dynamics/textbook/body_inertias.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// Computes the articulated inertias at q in data, or throws.
void require_factors(const Model& model, Data& data, VectorIn q) {
  if (model.has_mimic()) {
    throw std::invalid_argument(
        "model '" + model.name() +
        "' has mimic joints, whose reduced mass matrix has no operator factorisation: use "
        "mass_matrix() and a Cholesky factorisation instead.");
  }
  if (q.size() != model.nq()) {
    throw std::invalid_argument("model '" + model.name() + "': q has " + std::to_string(q.size()) +
                                " numbers but needs " + std::to_string(model.nq()) + ".");
  }
  if (!articulated_inertias(model, data, q)) {
    throw std::invalid_argument(
        "model '" + model.name() +
        "' has a joint that moves no inertia, so that its mass matrix is "
        "singular: give the links beyond it mass, or the joint an armature.");
  }
}

/// (1 - A)^-1 for a nilpotent A whose blocks lead from body i to its parent, which has a lower
/// index: rows of the inverse from the leaves inward, since (1 - A)^-1 = 1 + A (1 - A)^-1 fills row
/// p from the rows of its children.
MatrixXd inverse_of_one_minus(const Model& model, const MatrixXd& A) {
  MatrixXd result = MatrixXd::Identity(A.rows(), A.cols());
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Index p = model.parent(i);
    if (p == 0) continue;
    result.middleRows<6>(6 * (p - 1)) +=
        A.block<6, 6>(6 * (p - 1), 6 * (i - 1)) * result.middleRows<6>(6 * (i - 1));
  }
  return result;
}

/// D of one joint: S' U + armature.
JointBlock joint_inertia(const Joint& joint, const Data& data, std::size_t b) {
  JointBlock D = joint.S.transpose().lazyProduct(data.U[b]);
  D.diagonal().array() += joint.armature;
  return D;
}

}  // namespace

SpatialOperators spatial_operators(const Model& model, Data& data, VectorIn q) {
  require_factors(model, data, q);
  const Index n = model.nv(), six = 6 * (model.body_count() - 1);
  SpatialOperators o;
  o.H = MatrixXd::Zero(n, six);
  o.E = o.inertia = o.P = MatrixXd::Zero(six, six);
  o.D = o.armature = MatrixXd::Zero(n, n);
  MatrixXd G = MatrixXd::Zero(six, n);
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    const Index body = 6 * (i - 1);
    o.H.block(joint.v_index, body, joint.nv, 6) = joint.S.transpose();
    o.inertia.block<6, 6>(body, body) = model.inertia(i).matrix();
    o.P.block<6, 6>(body, body) = data.IA[b].matrix();
    o.D.block(joint.v_index, joint.v_index, joint.nv, joint.nv) = joint_inertia(joint, data, b);
    o.armature.diagonal().segment(joint.v_index, joint.nv).setConstant(joint.armature);
    G.block(body, joint.v_index, 6, joint.nv) = data.U[b] * data.D_inverse[b];
    if (joint.parent != 0) {
      o.E.block<6, 6>(6 * (joint.parent - 1), body) = data.X[b].motion_matrix().transpose();
    }
  }
  o.K = o.E * G;
  o.phi = inverse_of_one_minus(model, o.E);
  o.psi = inverse_of_one_minus(model, o.E - o.K * o.H);
  return o;
}

MassMatrixFactors factorise_mass_matrix(const Model& model, Data& data, VectorIn q) {
  require_factors(model, data, q);
  const Index n = model.nv();
  MassMatrixFactors f{MatrixXd::Identity(n, n), MatrixXd::Zero(n, n), MatrixXd::Identity(n, n)};
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    f.D.block(joint.v_index, joint.v_index, joint.nv, joint.nv) = joint_inertia(joint, data, b);
    // The gain's columns transformed towards the root: past rigid joints for L, past free joints
    // for its inverse.
    MotionSubspace rigid = data.U[b] * data.D_inverse[b], free = rigid;
    for (Index j = i; model.parent(j) != 0;) {
      const Matrix6 Xt = data.X[to_size(j)].motion_matrix().transpose();
      rigid = Xt * rigid;
      free = Xt * free;
      j = model.parent(j);
      const Joint& above = model.joint(j);
      const std::size_t a = to_size(j);
      const JointBlock share = above.S.transpose() * free;
      f.L.block(above.v_index, joint.v_index, above.nv, joint.nv) = above.S.transpose() * rigid;
      f.L_inverse.block(above.v_index, joint.v_index, above.nv, joint.nv) = -share;
      free -= data.U[a] * (data.D_inverse[a] * share);
    }
  }
  return f;
}

}  // namespace spatial_dynamics::textbook
