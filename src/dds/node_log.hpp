// Events of the middleware, for the log.
#pragma once

#include <string>

#include "dds/node.hpp"
#include "runtime/log_limits.hpp"

namespace spatial_dynamics::dds {

using Log = LogFunction;

inline NodeOptions with_events(NodeOptions options, const Log& log) {
  options.events.on_qos_mismatch = log_mismatches(log);
  options.events.on_error = [log](const std::string& text) { log(LogLevel::kError, text); };
  return options;
}

}  // namespace spatial_dynamics::dds
