// Events of the middleware, for the log.
#pragma once

#include <functional>
#include <string>

#include "dds/node.hpp"
#include "runtime/log_queue.hpp"

namespace spatial_dynamics::dds {

using Log = std::function<void(LogLevel level, const std::string& text)>;

inline NodeOptions with_events(NodeOptions options, const Log& log) {
  options.events.on_qos_mismatch = [log](const QosMismatch& mismatch) {
    log(LogLevel::kWarning, mismatch.sentence());
  };
  options.events.on_error = [log](const std::string& text) { log(LogLevel::kError, text); };
  return options;
}

}  // namespace spatial_dynamics::dds
