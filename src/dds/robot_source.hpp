// What both nodes do first: find their robot, and send what the middleware notices to the log.
#pragma once

#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "dds/node.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics::dds {

using Log = std::function<void(LogLevel level, const std::string& text)>;

inline NodeOptions with_events(NodeOptions options, const Log& log) {
  options.events.on_qos_mismatch = [log](const QosMismatch& mismatch) {
    log(LogLevel::kWarning, mismatch.sentence());
  };
  options.events.on_error = [log](const std::string& text) { log(LogLevel::kError, text); };
  return options;
}

/// The URDF that the parameters give; empty if it is to come on the topic robot_description. Throws ModelError.
template <typename AnyConfig>
std::string configured_urdf(const AnyConfig& config) {
  if (!config.robot_description.empty() || config.urdf_file.empty())
    return config.robot_description;
  std::ifstream file(config.urdf_file, std::ios::binary);
  if (!file) {
    throw ModelError(
        "file '" + config.urdf_file + "'",
        "file '" + config.urdf_file +
            "' can't be read: check the parameter urdf_file (relative names start at the "
            "working directory).");
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace spatial_dynamics::dds
