// Why messages are dropped, and how often.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// Why a message was dropped, or what is counted about a message that was accepted. Diagnostics
/// show each by name and count.
enum class RejectionReason : std::uint8_t {
  kNone,
  // dropped whole
  kNoNames,         ///< names are empty
  kTooLarge,        ///< more names, points or queued trajectories than any robot has
  kLengthMismatch,  ///< an array's length differs from the names'
  kDuplicateNames,  ///< a joint is named twice
  kBadPosition,     ///< a position is not finite or absurd
  kBadNumber,       ///< another number is not finite or absurd
  kUnknownJoint,    ///< a command names a joint that the robot does not have
  kBadStiffness,    ///< a stiffness that is negative, not finite or absurd
  kBadTimes,        ///< points of a trajectory do not follow each other
  kUnknownLink,     ///< frame_id names no link
  kNoBasePose,      ///< gravity in the frame of a base whose orientation is not known yet
  kBadPayload,      ///< negative mass, or a physically inconsistent inertia
  kHeavyPayload,    ///< a payload much heavier than the robot: its mass is probably not in kg
  kFixedPayload,    ///< a payload on a link that is fixed to the world, where it changes no torque
  kNoClock,         ///< a trajectory with a stamp, but use_sim_time is set and there is no /clock
  kOutdated,        ///< older, by less than a second, than what is known
  kStateJump,       ///< a joint is where it can't have moved, see JumpFilter
  // accepted, and counted
  kMissingVelocity,   ///< no (or no finite) velocity: the missing_velocity policy applies
  kMissingEffort,     ///< an effort that is not finite
  kTimeWentBack,      ///< a stamp a second or more in the past of the last one: filters restart
  kReceiveTimeUsed,   ///< stamp zero or in the future
  kTwoPublishers,     ///< one joint's states come from two publishers
  kTwoOdometries,     ///< the base's states come from two publishers
  kClippedReference,  ///< a reference beyond a position limit, at which it was clipped
  kCount
};
/// One line of words for diagnostics.
const char* to_string(RejectionReason rejection) noexcept;
/// True for those that drop the message.
bool drops(RejectionReason rejection) noexcept;

/// How often each was counted. Any thread; real-time safe except for explanations.
class RejectionCounts {
 public:
  /// The same as below, with an explanation that names the element and the remedy. It follows the
  /// reason in last(). Allocates and locks.
  RejectionReason add(RejectionReason reason, const std::string& explanation) {
    const std::lock_guard<std::mutex> lock(mutex_);
    last_.assign(to_string(reason)).append(": ").append(explanation);
    return add(reason);
  }
  /// The last explained reason; empty if there was none. Allocates and locks.
  [[nodiscard]] std::string last() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_;
  }
  /// Returns its argument.
  RejectionReason add(RejectionReason reason) noexcept {
    counts_[static_cast<std::size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
    return reason;
  }
  [[nodiscard]] std::uint64_t count(RejectionReason reason) const noexcept {
    return counts_[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(RejectionReason::kCount)>
      counts_{};
  mutable std::mutex mutex_;  // the next one
  std::string last_;
};

/// "'elbow', 'wrist'": names for a sentence; 40 at most. Allocates.
std::string list_of_names(const std::vector<std::string>& names);

/// Scalar coordinates of the names in messages, looked up only when the names change. One thread at
/// a time.
class NameMap {
 public:
  /// Allocates. Returns why names are rejected, or kNone.
  RejectionReason update(const Coordinates& coordinates,
                         const std::vector<std::string_view>& names);
  /// For each name; kNoIndex: not a joint of this robot.
  [[nodiscard]] const std::vector<Index>& index() const noexcept { return index_; }
  [[nodiscard]] bool has_unknown() const noexcept;
  /// The first name that is not a joint of this robot. has_unknown() must be true.
  [[nodiscard]] const std::string& unknown() const;

 private:
  std::vector<std::string> names_;
  std::vector<Index> index_;
  RejectionReason rejection_ = RejectionReason::kNone;
};

}  // namespace spatial_dynamics
