#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include "cholesky.hpp"
#include "joint_space.hpp"
#include "spatial_dynamics/textbook/body_inertias.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// Backward pass: e = (1 - H psi K) x; data.u = D^-1 e.
void backward_pass(const Model& model, Data& data, VectorIn x) noexcept {
  for (Index i = 0; i < model.body_count(); ++i) data.pA[to_size(i)] = Force::Zero();
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    const Vector6 z = data.pA[b].vector();
    const JointVector e = x.segment(joint.v_index, joint.nv) - joint.S.transpose().lazyProduct(z);
    data.u[b] = data.D_inverse[b].lazyProduct(e);
    // z_p += X' (z + G e), with the gain G = U D^-1
    const Force passed = data.pA[b] + Force(Vector6(data.U[b].lazyProduct(data.u[b])));
    data.pA[to_size(joint.parent)] += data.X[b].apply_transpose(passed);
  }
}

/// Forward pass: the same factor transposed, (1 - H psi K)* D^-1 e.
void forward_pass(const Model& model, Data& data, Eigen::Ref<VectorXd> result) noexcept {
  data.a[0] = Motion::Zero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    data.a[b] = data.X[b] * data.a[to_size(joint.parent)];
    // y = D^-1 (e - U' a)
    const Vector6 a = data.a[b].vector();
    const JointVector felt = data.U[b].transpose().lazyProduct(a);
    const JointVector y = data.u[b] - data.D_inverse[b].lazyProduct(felt);
    result.segment(joint.v_index, joint.nv) = y;
    data.a[b] += Motion(Vector6(joint.S.lazyProduct(y)));
  }
}

}  // namespace

bool apply_mass_matrix_inverse(const Model& model, Data& data, VectorIn q, VectorIn x,
                               Eigen::Ref<VectorXd> result) noexcept {
  assert_sizes(model, data, q.size(), x.size());
  assert(result.size() == model.nv());
  if (model.has_mimic()) {
    data.M_factor = mass_matrix(model, data, q);
    data.singular = !factorise_in_place(data.M_factor);
    result = x;
    if (!data.singular) solve_in_place(data.M_factor, result);
  } else {
    data.singular = !articulated_inertias(model, data, q);
    if (!data.singular) {
      backward_pass(model, data, x);
      forward_pass(model, data, result);
    }
  }
  if (!data.singular && !result.allFinite()) data.singular = true;
  if (data.singular) result.setZero();
  return !data.singular;
}

bool mass_matrix_inverse(const Model& model, Data& data, VectorIn q,
                         Eigen::Ref<MatrixXd> result) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  assert(result.rows() == model.nv() && result.cols() == model.nv());
  const Index n = model.nv();
  result.setIdentity();
  if (model.has_mimic()) {
    data.M_factor = mass_matrix(model, data, q);
    data.singular = !factorise_in_place(data.M_factor);
  } else {
    data.singular = !articulated_inertias(model, data, q);
  }
  for (Index k = 0; k < n && !data.singular; ++k) {
    auto column = result.col(k);
    if (model.has_mimic()) {
      solve_in_place(data.M_factor, column);
    } else {
      backward_pass(model, data, column);
      forward_pass(model, data, column);
    }
  }
  // Both halves are equal up to rounding: keep one.
  for (Index k = 0; k < n; ++k) result.row(k).tail(n - k) = result.col(k).tail(n - k).transpose();
  if (!data.singular && !result.allFinite()) data.singular = true;
  if (data.singular) result.setZero();
  return !data.singular;
}

}  // namespace spatial_dynamics::textbook
