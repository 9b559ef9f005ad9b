// Reads ROS 2's security settings (SROS 2) from the environment, and translates them for Cyclone
// DDS.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dds/discovery_options.hpp"

namespace spatial_dynamics::dds {

struct SecurityOptions {
  std::string enclave = "/";  ///< name of a set of keys
  std::string folder;         ///< folder of these keys; empty: no security
  /// Properties of a participant for DDS Security; empty: no security.
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> warnings;  ///< sentences about ignored security settings

  [[nodiscard]] bool enabled() const noexcept { return !properties.empty(); }
};

/// Reads ROS_SECURITY_ENABLE, ROS_SECURITY_STRATEGY, ROS_SECURITY_KEYSTORE and
/// ROS_SECURITY_ENCLAVE_OVERRIDE as ROS 2 does. `enclave` is the value of --enclave; empty: "/". If
/// a file of the enclave or a security plug-in of the middleware is missing, throws Error with the
/// strategy Enforce; with any other strategy the node has no security, with a warning, as in ROS 2.
SecurityOptions security_options_from(const Environment& environment, const std::string& enclave);

}  // namespace spatial_dynamics::dds
