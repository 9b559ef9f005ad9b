#include "spatial_dynamics/textbook/body_inertias.hpp"

#include "joint_space.hpp"

namespace spatial_dynamics::textbook {

const std::vector<Inertia>& composite_inertias(const Model& model, Data& data,
                                               VectorIn q) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  for (Index i = 0; i < model.body_count(); ++i) data.Ic[to_size(i)] = model.inertia(i);
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const std::size_t b = to_size(i);
    data.X[b] = parent_to_child(model.joint(i), q);
    data.Ic[to_size(model.parent(i))] += to_parent(data.X[b], data.Ic[b]);
  }
  return data.Ic;
}

bool articulated_inertias(const Model& model, Data& data, VectorIn q) noexcept {
  assert_sizes(model, data, q.size(), model.nv());
  if (model.has_mimic()) return false;
  for (Index i = 0; i < model.body_count(); ++i) {
    data.IA[to_size(i)] = ArticulatedInertia(model.inertia(i));
  }
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const std::size_t b = to_size(i);
    data.X[b] = parent_to_child(model.joint(i), q);
    if (!factorise_joint(model.joint(i), data, b)) return false;
    data.IA[to_size(model.parent(i))] += to_parent(data.X[b], inertia_through_joint(data, b));
  }
  return true;
}

}  // namespace spatial_dynamics::textbook
