#include "spatial_dynamics/model/last_moving_link.hpp"

namespace spatial_dynamics {

Index last_moving_link(const Model& model) {
  std::vector<Index> joints(to_size(model.body_count()), 0);  // from the base to each body
  for (Index i = 1; i < model.body_count(); ++i) {
    joints[to_size(i)] = joints[to_size(model.parent(i))] + 1;
  }
  Index last = 0;
  for (Index l = 1; l < model.link_count(); ++l) {
    if (joints[to_size(model.link(l).body)] >= joints[to_size(model.link(last).body)]) last = l;
  }
  return last;
}

}  // namespace spatial_dynamics
