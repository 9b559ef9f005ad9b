#include "runtime/world_inbox.hpp"

#include <algorithm>

#include "spatial_dynamics/model/model.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Of the robot's mass. A larger payload is probably a mass in g.
constexpr double kHeaviestPayload = 10.0;

template <typename Entry>
Entry& entry_of(std::vector<Entry>& entries, Index link) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [link](const Entry& entry) { return entry.link == link; });
  if (found != entries.end()) return *found;
  entries.emplace_back();
  entries.back().link = link;
  return entries.back();
}

Index find_name(const std::vector<std::string>& names, std::string_view name) noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? kNoIndex : static_cast<Index>(found - names.begin());
}

}  // namespace

bool WorldValues::changed() const noexcept {
  return gravity.generation != 0 || std::any_of(payloads.begin(), payloads.end(),
                                                [](const Payload& p) { return !p.configured; });
}

WorldInbox::WorldInbox(const Model& model, RejectionCounts& rejections)
    : robot_mass_(model.total_mass()), rejections_(rejections) {
  for (Index l = 0; l < model.link_count(); ++l) {
    link_names_.push_back(model.link(l).name);
    link_moves_.push_back(model.link(l).body != 0);
    configured_.push_back(model.payload(l));
  }
}

void WorldInbox::publish_gravity() {
  gravity_.write_slot() = merged_gravity_;
  gravity_.publish();
}

void WorldInbox::publish_payloads() {
  payloads_.write_slot() = merged_payloads_;
  payloads_.publish();
}

void WorldInbox::update() noexcept {
  wrenches_.update();
  payloads_.update();
  gravity_.update();
}

std::vector<std::string> WorldInbox::copy_from(const WorldInbox& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  std::vector<std::string> lost;
  merged_gravity_ = other.merged_gravity_;
  publish_gravity();
  merged_payloads_.generation = other.merged_payloads_.generation;
  for (LinkPayload payload : other.merged_payloads_.links) {
    const std::string& name = other.link_names_[static_cast<std::size_t>(payload.link)];
    const auto found = std::find(link_names_.begin(), link_names_.end(), name);
    const auto link = static_cast<std::size_t>(found - link_names_.begin());
    if (found == link_names_.end() || !link_moves_[link]) {
      if (payload.inertia.mass > 0.0) lost.push_back(name);
      continue;
    }
    payload.link = static_cast<Index>(link);
    merged_payloads_.links.push_back(payload);
  }
  publish_payloads();
  return lost;
}

void WorldInbox::reset() {
  const std::lock_guard<std::mutex> lock(mutex_);
  merged_gravity_ = Gravity{};
  publish_gravity();
  merged_payloads_.links.clear();
  ++merged_payloads_.generation;
  publish_payloads();
}

WorldValues WorldInbox::values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  WorldValues world;
  world.gravity = merged_gravity_;
  std::vector<bool> set(link_names_.size(), false);
  for (const LinkPayload& payload : merged_payloads_.links) {
    const auto l = static_cast<std::size_t>(payload.link);
    set[l] = true;
    if (payload.inertia.mass == 0.0 && configured_[l].mass == 0.0) continue;
    world.payloads.push_back(
        {link_names_[l], payload.link, payload.inertia, payload.source, false});
  }
  for (std::size_t l = 0; l < link_names_.size(); ++l) {
    if (set[l] || configured_[l].mass == 0.0) continue;
    world.payloads.push_back({link_names_[l], static_cast<Index>(l), configured_[l], 0, true});
  }
  return world;
}

RejectionReason WorldInbox::reject_link(std::string_view name) {
  return rejections_.add(RejectionReason::kUnknownLink,
                         in_quotes(name) + "; choose among " + list_of_names(link_names_));
}

RejectionReason WorldInbox::on_wrench(const WrenchView& message, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Index link = find_name(link_names_, message.frame_id);
  if (link == kNoIndex) return reject_link(message.frame_id);
  if (!is_plausible(message.force) || !is_plausible(message.torque))
    return rejections_.add(RejectionReason::kBadNumber);
  LinkWrench& entry = entry_of(merged_wrenches_.links, link);
  entry.wrench = Force(message.torque, message.force);
  entry.received = now;
  wrenches_.write_slot() = merged_wrenches_;
  wrenches_.publish();
  return RejectionReason::kNone;
}

RejectionReason WorldInbox::on_payload(const PayloadView& message) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Index link = find_name(link_names_, message.frame_id);
  if (link == kNoIndex) return reject_link(message.frame_id);
  if (!is_plausible(message.mass) || !is_plausible(message.com) ||
      !is_plausible(message.inertia_about_com)) {
    return rejections_.add(RejectionReason::kBadNumber);
  }
  const InertiaValidity validity = check_inertia(message.inertia_about_com);
  const bool massless = message.mass == 0.0 && message.inertia_about_com.isZero(0.0);
  const bool physical =
      message.mass > 0.0 && validity.positive_semidefinite && validity.triangle_inequality;
  if (!massless && !physical) return rejections_.add(RejectionReason::kBadPayload);
  if (!link_moves_[static_cast<std::size_t>(link)])
    return rejections_.add(RejectionReason::kFixedPayload);
  if (robot_mass_ > 0.0 && message.mass > kHeaviestPayload * robot_mass_) {
    return rejections_.add(RejectionReason::kHeavyPayload,
                           rounded_text(message.mass) + " kg on link " +
                               in_quotes(message.frame_id) + ", but the robot has " +
                               rounded_text(robot_mass_) + " kg; give the mass in kg");
  }
  LinkPayload& entry = entry_of(merged_payloads_.links, link);
  entry.inertia = Inertia::from_com(message.mass, message.com, message.inertia_about_com);
  entry.source = message.source;
  ++merged_payloads_.generation;
  publish_payloads();
  return RejectionReason::kNone;
}

RejectionReason WorldInbox::on_gravity(const GravityView& message, const StateInbox* states) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool root = message.frame_id.empty() || message.frame_id == link_names_.front();
  if (!root) {
    return rejections_.add(RejectionReason::kUnknownLink,
                           in_quotes(message.frame_id) + "; gravity is in the frame of " +
                               in_quotes(link_names_.front()) + ", or of an empty frame_id");
  }
  constexpr double kStrongest = 1000.0;  // m/s^2: a hundred times the earth's
  if (!message.vector.allFinite() || message.vector.norm() > kStrongest) {
    return rejections_.add(RejectionReason::kBadNumber);
  }
  // The model needs it in the world's frame, in which a fixed root does not rotate.
  Vector3 in_world = message.vector;
  if (states != nullptr) {
    const std::optional<Quaternion> orientation = states->base_orientation();
    if (!orientation) return rejections_.add(RejectionReason::kNoBasePose);
    in_world = *orientation * message.vector;
  }
  merged_gravity_ = Gravity{in_world, merged_gravity_.generation + 1, message.source};
  publish_gravity();
  return RejectionReason::kNone;
}
}  // namespace spatial_dynamics
