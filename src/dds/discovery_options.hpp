// Reads ROS 2's discovery settings from the environment, and translates them for Cyclone DDS.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace spatial_dynamics::dds {

/// The value of an environment variable; empty if it is not set, because ROS 2 does not distinguish
/// the two. Tests supply their own.
using Environment = std::function<std::string(const std::string& name)>;
/// The environment of this process. Must not be called while another thread changes it.
Environment process_environment();

enum class DiscoveryRange {
  kSubnet,         ///< by multicast, on every interface that Cyclone DDS chooses
  kLocalhost,      ///< this host alone
  kOff,            ///< no other process finds this one
  kSystemDefault,  ///< the default of Cyclone DDS
};

struct DiscoveryOptions {
  std::uint32_t domain_id = 0;  ///< 0 to 232: higher numbers have no UDP port
  DiscoveryRange range = DiscoveryRange::kSubnet;
  std::vector<std::string> static_peers;  ///< additional hosts to look for
  std::string user_config;                ///< CYCLONEDDS_URI; overrides our settings
  std::vector<std::string> warnings;      ///< sentences about ignored settings
};

/// Reads ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS (separated by ;),
/// ROS_LOCALHOST_ONLY and CYCLONEDDS_URI as ROS 2 does. Throws Error if the domain is not a number
/// from 0 to 232.
DiscoveryOptions discovery_options_from(const Environment& environment);

/// Bytes (serialised) of the largest message that the middleware sends or assembles; larger ones
/// are dropped, with a line in its log. A robot description may have 16 MiB.
inline constexpr std::uint32_t kLargestSample = 32U << 20;

/// The configuration for dds_create_domain(). `process_id` separates the domain of range kOff from
/// other processes.
std::string cyclone_config(const DiscoveryOptions& options, int process_id);

}  // namespace spatial_dynamics::dds
