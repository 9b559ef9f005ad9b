// Quality of service: what a reader and a writer must agree on before data flows between them.
#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace spatial_dynamics::dds {

enum class Reliability { kReliable, kBestEffort };
enum class Durability { kVolatile, kTransientLocal };

/// History is always "keep last": what a slow reader missed is gone, memory is bounded.
struct Qos {
  Reliability reliability = Reliability::kReliable;
  Durability durability = Durability::kVolatile;
  std::int32_t depth = 10;
};

/// Streams that are read, of which only the newest matters: joint states, odometry. Any writer matches.
inline constexpr Qos kStreamQos{Reliability::kBestEffort, Durability::kVolatile, 10};
/// Commands that are read: none may get lost.
inline constexpr Qos kCommandQos{Reliability::kReliable, Durability::kVolatile, 10};
/// robot_description: who comes late gets it too.
inline constexpr Qos kDescriptionQos{Reliability::kReliable, Durability::kTransientLocal, 1};
/// What is published: reliable, because a reader that asks for it would not match otherwise.
inline constexpr Qos kOutputQos{Reliability::kReliable, Durability::kVolatile, 1};
/// /diagnostics and what else goes out seldom.
inline constexpr Qos kDefaultQos{Reliability::kReliable, Durability::kVolatile, 10};
/// /clock as ROS 2 nodes read it.
inline constexpr Qos kClockQos{Reliability::kBestEffort, Durability::kVolatile, 1};
/// ros_discovery_info.
inline constexpr Qos kDiscoveryInfoQos{Reliability::kReliable, Durability::kTransientLocal, 1};

struct QosDeleter {
  void operator()(dds_qos_t* qos) const noexcept { dds_delete_qos(qos); }
};
using QosHandle = std::unique_ptr<dds_qos_t, QosDeleter>;

enum class EndpointKind { kReader, kWriter };

/// For a reader or a writer of a type with this hash (may be empty). Allocates; throws std::bad_alloc.
QosHandle make_qos(const Qos& qos, EndpointKind kind, std::string_view type_hash);

/// "RELIABILITY" of DDS_RELIABILITY_QOS_POLICY_ID; "policy 99" of a number that has no name.
std::string policy_name(std::uint32_t policy_id);

/// A peer that was found on one of our topics and can't talk with us.
struct QosMismatch {
  std::string topic;        ///< full name
  bool we_publish = false;  ///< we write and the peer reads, or the other way round
  std::string policy;       ///< the first one that does not fit: "RELIABILITY"
  std::uint32_t count = 0;  ///< peers that did not fit so far

  /// "topic '/joint_states': a publisher was found whose RELIABILITY does not fit ours; nothing will arrive from it."
  [[nodiscard]] std::string sentence() const;
};

}  // namespace spatial_dynamics::dds
