#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {
namespace {

Index find(const std::unordered_map<std::string, Index>& index, std::string_view name) {
  const auto found = index.find(std::string(name));
  return found == index.end() ? kNoIndex : found->second;
}

}  // namespace

Index Model::find_link(std::string_view name) const { return find(link_index_, name); }

Index Model::find_joint(std::string_view name) const { return find(joint_index_, name); }

double Model::total_mass() const noexcept {
  double mass = 0.0;
  for (const Inertia& inertia : inertias_) mass += inertia.mass;
  return mass;
}

void Model::set_payload(Index link, const Inertia& payload) noexcept {
  payloads_[to_size(link)] = payload;
  // Sum anew instead of subtracting the old payload, so that no rounding error stays behind.
  const std::size_t body = to_size(links_[to_size(link)].body);
  Inertia sum = own_inertias_[body];
  for (const Index l : links_of_body_[body]) {
    sum += to_parent(links_[to_size(l)].placement, payloads_[to_size(l)]);
  }
  inertias_[body] = sum;
}

}  // namespace spatial_dynamics
