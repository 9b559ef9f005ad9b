#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include "body_coriolis.hpp"
#include "joint_space.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// Entries between coordinate `column` of joint i and every joint from i to the root, in both
/// directions: C(j, i) = S_j' (I S_i' + B S_i),  C(i, j) = S_i' (I S_j' + B S_j), with the rate of
/// change S' = v x S and the composite I, B of i.
void fill_coordinate(const Model& model, Data& data, Index i, Index column) noexcept {
  const Joint& joint = model.joint(i);
  const Motion S = subspace_column(joint, column);
  const Inertia& I = data.Ic[to_size(i)];
  const Matrix6& B = data.Bc[to_size(i)];
  const Index own = joint.v_index + column;
  Force moved = I * cross(data.v[to_size(i)], S) + Force(Vector6(B * S.vector()));
  Force inertial = I * S;
  Force turned(Vector6(B.transpose() * S.vector()));
  for (Index k = 0; k < joint.nv; ++k) {
    data.C(joint.v_index + k, own) += dot(subspace_column(joint, k), moved);
  }
  for (Index j = i; model.parent(j) != 0;) {
    const Transform& X = data.X[to_size(j)];
    moved = X.apply_transpose(moved);
    inertial = X.apply_transpose(inertial);
    turned = X.apply_transpose(turned);
    j = model.parent(j);
    const Joint& ancestor = model.joint(j);
    for (Index k = 0; k < ancestor.nv; ++k) {
      const Motion S_j = subspace_column(ancestor, k);
      data.C(ancestor.v_index + k, own) += dot(S_j, moved);
      data.C(own, ancestor.v_index + k) +=
          dot(cross(data.v[to_size(j)], S_j), inertial) + dot(S_j, turned);
    }
  }
}

}  // namespace

const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept {
  assert_sizes(model, data, q.size(), v.size());
  data.C.setZero();
  data.v[0] = Motion::Zero();
  data.Ic[0] = model.inertia(0);
  data.Bc[0].setZero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    const std::size_t b = to_size(i);
    data.X[b] = parent_to_child(joint, q);
    data.v[b] = data.X[b] * data.v[to_size(joint.parent)] + joint_motion(joint, v);
    data.Ic[b] = model.inertia(i);
    data.Bc[b] = body_coriolis(model.inertia(i), data.v[b]);
  }
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const std::size_t b = to_size(i), p = to_size(model.parent(i));
    for (Index column = 0; column < model.joint(i).nv; ++column) {
      fill_coordinate(model, data, i, column);
    }
    const Matrix6 X = data.X[b].motion_matrix();
    data.Ic[p] += to_parent(data.X[b], data.Ic[b]);
    data.Bc[p] += X.transpose() * data.Bc[b] * X;
  }
  return data.C;
}

}  // namespace spatial_dynamics::textbook
