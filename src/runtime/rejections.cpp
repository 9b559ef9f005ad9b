#include "runtime/rejections.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "runtime/messages.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {

const char* to_string(RejectionReason rejection) noexcept {
  switch (rejection) {
    case RejectionReason::kNone:
      return "none";
    case RejectionReason::kNoNames:
      return "message without names";
    case RejectionReason::kTooLarge:
      return "message too large";
    case RejectionReason::kLengthMismatch:
      return "array lengths differ from the number of names";
    case RejectionReason::kDuplicateNames:
      return "a joint is named twice";
    case RejectionReason::kBadPosition:
      return "a position is not finite or absurdly large";
    case RejectionReason::kBadNumber:
      return "a number is not finite or absurdly large";
    case RejectionReason::kUnknownJoint:
      return "a command names an unknown joint";
    case RejectionReason::kBadStiffness:
      return "a stiffness is negative, not finite or absurdly large";
    case RejectionReason::kBadTimes:
      return "the times of a trajectory's points do not increase";
    case RejectionReason::kNoBasePose:
      return "gravity in the frame of a base whose odometry has not arrived yet";
    case RejectionReason::kUnknownLink:
      return "frame_id names no link of the robot";
    case RejectionReason::kBadPayload:
      return "payload with a physically inconsistent mass or inertia";
    case RejectionReason::kHeavyPayload:
      return "payload of more than ten times the robot's mass";
    case RejectionReason::kFixedPayload:
      return "payload on a link that is fixed to the world";
    case RejectionReason::kNoClock:
      return "a trajectory with a stamp arrived before /clock";
    case RejectionReason::kOutdated:
      return "state older than the last one";
    case RejectionReason::kStateJump:
      return "a joint jumped farther or faster than its velocity limit permits";
    case RejectionReason::kMissingVelocity:
      return "state without a velocity";
    case RejectionReason::kMissingEffort:
      return "state with an effort that is not finite";
    case RejectionReason::kTimeWentBack:
      return "time went back by a second or more";
    case RejectionReason::kReceiveTimeUsed:
      return "stamp zero or in the future";
    case RejectionReason::kTwoPublishers:
      return "one joint's states come from two publishers";
    case RejectionReason::kTwoOdometries:
      return "the base's states come from two publishers";
    case RejectionReason::kClippedReference:
      return "a reference beyond a position limit was clipped";
    case RejectionReason::kCount:
      break;
  }
  return "unknown";
}

bool drops(RejectionReason rejection) noexcept {
  return rejection != RejectionReason::kNone && rejection < RejectionReason::kMissingVelocity;
}

RejectionReason NameMap::update(const Coordinates& coordinates,
                                const std::vector<std::string_view>& names) {
  constexpr std::size_t kMostCharacters = 1 << 22;  // of all names together
  const bool same = std::equal(names.begin(), names.end(), names_.begin(), names_.end());
  if (same && !names.empty()) return rejection_;
  *this = NameMap{};
  if (names.empty()) return RejectionReason::kNoNames;
  std::size_t characters = 0;
  for (const std::string_view name : names) characters += name.size();
  if (names.size() > kMostNames || characters > kMostCharacters) return RejectionReason::kTooLarge;
  std::unordered_map<std::string_view, Index> ours;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    ours.emplace(coordinates[k].name, static_cast<Index>(k));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : names) {
    if (!seen.insert(name).second) rejection_ = RejectionReason::kDuplicateNames;
    const auto found = ours.find(name);
    index_.push_back(found == ours.end() ? kNoIndex : found->second);
    names_.emplace_back(name);
  }
  return rejection_;
}

bool NameMap::has_unknown() const noexcept {
  return std::find(index_.begin(), index_.end(), kNoIndex) != index_.end();
}

const std::string& NameMap::unknown() const {
  const auto found = std::find(index_.begin(), index_.end(), kNoIndex);
  return names_[static_cast<std::size_t>(found - index_.begin())];
}

std::string list_of_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMostListed = 40;
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kMostListed) return list + ", ...";
    list += (i > 0 ? ", " : "") + in_quotes(names[i]);
  }
  return list;
}

}  // namespace spatial_dynamics
