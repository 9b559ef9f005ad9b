#include "spatial_dynamics/runtime/inbox.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace spatial_dynamics {

const char* to_string(Oddity oddity) noexcept {
  switch (oddity) {
    case Oddity::kNone:
      return "nothing odd";
    case Oddity::kNoNames:
      return "message without names";
    case Oddity::kTooLarge:
      return "message too large";
    case Oddity::kLengthMismatch:
      return "array lengths differ from the number of names";
    case Oddity::kDuplicateNames:
      return "a joint is named twice";
    case Oddity::kBadPosition:
      return "a position is not finite or absurdly large";
    case Oddity::kBadNumber:
      return "a number is not finite or absurdly large";
    case Oddity::kUnknownJoint:
      return "a command names an unknown joint";
    case Oddity::kBadTimes:
      return "points of a trajectory do not follow each other in time";
    case Oddity::kNoBasePose:
      return "gravity in the frame of a base whose odometry has not come yet";
    case Oddity::kUnknownLink:
      return "frame_id names no link of the robot";
    case Oddity::kBadPayload:
      return "payload with a mass or inertia that no matter has";
    case Oddity::kFixedPayload:
      return "payload on a link that is fixed to the world";
    case Oddity::kNoClock:
      return "a trajectory with a stamp came before /clock";
    case Oddity::kOutdated:
      return "state older than what is known";
    case Oddity::kMissingVelocity:
      return "state without a velocity";
    case Oddity::kMissingEffort:
      return "state with an effort that is not finite";
    case Oddity::kTimeWentBack:
      return "time went back by a second or more";
    case Oddity::kReceiveTimeUsed:
      return "stamp zero or in the future";
    case Oddity::kTwoPublishers:
      return "one joint's states come from two publishers";
    case Oddity::kCount:
      break;
  }
  return "unknown";
}

bool drops(Oddity oddity) noexcept {
  return oddity != Oddity::kNone && oddity < Oddity::kMissingVelocity;
}

Inbox::Inbox(const Engine& engine)
    : coordinates_(engine.coordinates()),
      floating_base_(engine.floating_base()),
      records_(coordinates_.size()),
      merged_states_(engine.make_states()),
      merged_references_(engine.make_references()),
      merged_effort_(engine.make_effort_command()),
      states_(merged_states_),
      references_(merged_references_),
      effort_command_(merged_effort_) {
  for (Index l = 0; l < engine.model().link_count(); ++l) {
    link_names_.push_back(engine.model().link(l).name);
    link_moves_.push_back(engine.model().link(l).body != 0);
  }
}

void Inbox::take_over(const Inbox& other) {
  const std::scoped_lock lock(callbacks_, other.callbacks_);
  records_ = other.records_;
  odometry_ = other.odometry_;
  generation_ = other.generation_;
  merged_states_ = other.merged_states_;
  merged_references_ = other.merged_references_;
  merged_effort_ = other.merged_effort_;
  states_.write_slot() = merged_states_;
  states_.publish();
  references_.write_slot() = merged_references_;
  references_.publish();
  effort_command_.write_slot() = merged_effort_;
  effort_command_.publish();
  merged_gravity_ = other.merged_gravity_;
  gravity_.write_slot() = merged_gravity_;
  gravity_.publish();
  merged_payloads_.generation = other.merged_payloads_.generation;
  for (LinkPayload payload : other.merged_payloads_.links) {
    const std::string& name = other.link_names_[static_cast<std::size_t>(payload.link)];
    const auto found = std::find(link_names_.begin(), link_names_.end(), name);
    if (found == link_names_.end()) continue;
    payload.link = static_cast<Index>(found - link_names_.begin());
    if (!link_moves_[static_cast<std::size_t>(payload.link)]) continue;
    merged_payloads_.links.push_back(payload);
  }
  payloads_.write_slot() = merged_payloads_;
  payloads_.publish();
}

void Inbox::update() noexcept {
  states_.update();
  references_.update();
  effort_command_.update();
  wrenches_.update();
  payloads_.update();
  gravity_.update();
}

std::string Inbox::disputed_joint() const {
  const std::lock_guard<std::mutex> lock(callbacks_);
  return disputed_at_ == 0 ? std::string() : coordinates_[disputed_].name;
}

std::string Inbox::joint_without_velocity() const {
  const std::lock_guard<std::mutex> lock(callbacks_);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (records_[k].known && !records_[k].had_velocity) return coordinates_[k].name;
  }
  return {};
}

Oddity Inbox::noted(Oddity oddity) noexcept {
  counts_[static_cast<std::size_t>(oddity)].fetch_add(1, std::memory_order_relaxed);
  return oddity;
}

const Inbox::NameMap& Inbox::map_names(NameMap& map,
                                       const std::vector<std::string_view>& names) const {
  constexpr std::size_t kMostNames = 65536;
  const bool same = std::equal(names.begin(), names.end(), map.names.begin(), map.names.end());
  if (same && !names.empty()) return map;
  map = NameMap{};
  if (names.empty()) map.oddity = Oddity::kNoNames;
  if (names.size() > kMostNames) map.oddity = Oddity::kTooLarge;
  if (map.oddity != Oddity::kNone) return map;
  std::unordered_map<std::string_view, Index> ours;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    ours.emplace(coordinates_[k].name, static_cast<Index>(k));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : names) {
    if (!seen.insert(name).second) map.oddity = Oddity::kDuplicateNames;
    const auto found = ours.find(name);
    map.index.push_back(found == ours.end() ? kNoIndex : found->second);
    map.names.emplace_back(name);
  }
  return map;
}

}  // namespace spatial_dynamics
