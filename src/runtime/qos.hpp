// Quality of service: what a reader and a writer must agree on before data flows between them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace spatial_dynamics {

enum class Reliability { kReliable, kBestEffort };
enum class Durability { kVolatile, kTransientLocal };

/// History is always "keep last": a slow reader loses the oldest messages, and memory is bounded.
struct Qos {
  Reliability reliability = Reliability::kReliable;
  Durability durability = Durability::kVolatile;
  std::int32_t depth = 10;
  /// A writer offers DEADLINE with this period and LIVELINESS MANUAL_BY_TOPIC with the same lease;
  /// a reader requests DEADLINE, and LIVELINESS AUTOMATIC. 0: neither.
  std::chrono::nanoseconds deadline{0};
  bool ignore_own = false;  ///< a reader does not receive what its own participant writes
};

/// Joint states, odometry: only the newest message matters. Any writer matches.
inline constexpr Qos kStreamQos{Reliability::kBestEffort, Durability::kVolatile, 10};
/// Commands: none may be lost.
inline constexpr Qos kCommandQos{Reliability::kReliable, Durability::kVolatile, 10};
/// robot_description: late subscribers receive it too.
inline constexpr Qos kDescriptionQos{Reliability::kReliable, Durability::kTransientLocal, 1};
/// Outputs of the loop: reliable, because a subscriber that requests it would not match otherwise.
inline constexpr Qos kOutputQos{Reliability::kReliable, Durability::kVolatile, 1};
/// /diagnostics, statistics, and the states of a simulated robot.
inline constexpr Qos kDefaultQos{Reliability::kReliable, Durability::kVolatile, 10};
/// /clock as ROS 2 nodes read it.
inline constexpr Qos kClockQos{Reliability::kBestEffort, Durability::kVolatile, 1};
/// Torques of other nodes: read only to see whether they are sent.
inline constexpr Qos kForeignTorqueQos{Reliability::kBestEffort, Durability::kVolatile, 1,
                                       std::chrono::nanoseconds(0), true};

/// A peer on one of our topics whose quality of service is incompatible with ours.
struct QosMismatch {
  std::string topic;        ///< full name
  bool we_publish = false;  ///< we write and the peer reads, or the other way round
  std::string policy;       ///< the first incompatible one: "RELIABILITY"

  /// "topic '/joint_states': a publisher was found whose RELIABILITY does not fit ours; nothing
  /// will arrive from it."
  [[nodiscard]] std::string sentence() const;
};

}  // namespace spatial_dynamics
