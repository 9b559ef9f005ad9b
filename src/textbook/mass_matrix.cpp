#include "spatial_dynamics/textbook/mass_matrix.hpp"

#include "joint_space.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// Row and column of M that belong to coordinate `column` of joint i: the wrench F that moves its
/// composite body is transformed towards the root, and has the torque S' F at every joint on the
/// path.
void fill_mass_of_coordinate(const Model& model, Data& data, Index i, Index column) noexcept {
  const Joint& joint = model.joint(i);
  const Index own = joint.v_index + column;
  Force F = data.Ic[to_size(i)] * subspace_column(joint, column);
  for (Index k = 0; k <= column; ++k) {  // half of the joint's block, mirrored: exactly symmetric
    const double entry = dot(subspace_column(joint, k), F);
    data.M(joint.v_index + k, own) += entry;
    if (k != column) data.M(own, joint.v_index + k) += entry;
  }
  for (Index j = i; model.parent(j) != 0;) {
    F = data.X[to_size(j)].apply_transpose(F);
    j = model.parent(j);
    const Joint& ancestor = model.joint(j);
    for (Index k = 0; k < ancestor.nv; ++k) {
      const double entry = dot(subspace_column(ancestor, k), F);
      // For a mimic joint and its leader both halves add to one diagonal entry.
      data.M(ancestor.v_index + k, own) += entry;
      data.M(own, ancestor.v_index + k) += entry;
    }
  }
}

}  // namespace

const MatrixXd& mass_matrix(const Model& model, Data& data, VectorIn q) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  data.M.setZero();
  for (Index i = 0; i < model.body_count(); ++i) data.Ic[to_size(i)] = model.inertia(i);
  for (Index i = 1; i < model.body_count(); ++i) {
    data.X[to_size(i)] = parent_to_child(model.joint(i), q);
  }
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Joint& joint = model.joint(i);
    for (Index column = 0; column < joint.nv; ++column) {
      fill_mass_of_coordinate(model, data, i, column);
      const Index k = joint.v_index + column;
      data.M(k, k) += joint.armature * joint.ratio * joint.ratio;
    }
    // Composite inertia: Ic_p += X' Ic_i X
    data.Ic[to_size(joint.parent)] += to_parent(data.X[to_size(i)], data.Ic[to_size(i)]);
  }
  return data.M;
}

}  // namespace spatial_dynamics::textbook
