#include "spatial_dynamics/model/model.hpp"

#include <atomic>
#include <stdexcept>

namespace spatial_dynamics {
namespace {

Index find(const std::unordered_map<std::string, Index>& index, std::string_view name) {
  const auto found = index.find(std::string(name));
  return found == index.end() ? kNoIndex : found->second;
}

}  // namespace

Index Model::find_link(std::string_view name) const { return find(link_index_, name); }

Index Model::find_joint(std::string_view name) const { return find(joint_index_, name); }

void Model::no_such_link(const char* function, Index link) const {
  throw std::invalid_argument(
      std::string(function) + "() on model '" + name_ + "': there is no link " +
      std::to_string(link) + ", expected 0 to " + std::to_string(link_count() - 1) +
      ". Model::find_link() returns -1 for a name that the model does not have.");
}

double Model::total_mass() const noexcept {
  double mass = 0.0;
  for (const Inertia& inertia : inertias_) mass += inertia.mass;
  return mass;
}

Model::Stamp::Stamp() noexcept {
  static std::atomic<std::uint64_t> last{0};
  value = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// A setter that changes nothing keeps the stamp, so that a loop may call it in every cycle at no
// cost.

void Model::set_gravity(const Vector3& gravity) noexcept {
  if (gravity == gravity_) return;
  gravity_ = gravity;
  stamp_ = Stamp();
}

void Model::set_friction_speed(double speed) noexcept {
  if (speed == friction_speed_) return;
  friction_speed_ = speed;
  stamp_ = Stamp();
}

void Model::set_payload(Index link, const Inertia& payload) {
  require_link("set_payload", link);
  Inertia& present = payloads_[to_size(link)];
  if (payload.mass == present.mass && payload.h == present.h && payload.I == present.I) return;
  present = payload;
  stamp_ = Stamp();
  // Sum anew instead of subtracting the old payload, so that no rounding error stays behind.
  const std::size_t body = to_size(links_[to_size(link)].body);
  Inertia sum = own_inertias_[body];
  for (const Index l : links_of_body_[body]) {
    sum += to_parent(links_[to_size(l)].placement, payloads_[to_size(l)]);
  }
  inertias_[body] = sum;
}

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
