// Who may talk with us at all: ROS 2's security (SROS 2), and what it means to Cyclone DDS.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dds/discovery_options.hpp"

namespace spatial_dynamics::dds {

struct SecurityOptions {
  std::string enclave = "/";  ///< ROS 2's name for a set of keys
  std::string folder;         ///< where these keys are; empty: open to everyone
  /// DDS Security's properties of a participant; empty: open to everyone.
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> warnings;  ///< sentences about what is open though it seems not to be

  [[nodiscard]] bool enabled() const noexcept { return !properties.empty(); }
};

/// Reads ROS_SECURITY_ENABLE, ROS_SECURITY_STRATEGY, ROS_SECURITY_KEYSTORE and
/// ROS_SECURITY_ENCLAVE_OVERRIDE as ROS 2 does. `enclave` is that of --ros-args --enclave; empty:
/// "/". Throws Error where the strategy is Enforce and the enclave lacks a file, or the middleware
/// its security plugins; with any other strategy, as in ROS 2, the node is then open, with a
/// warning.
SecurityOptions security_options_from(const Environment& environment, const std::string& enclave);

}  // namespace spatial_dynamics::dds
