// Log lines of the runtime to ROS 2's log.
#pragma once

#include <memory>
#include <rclcpp/logging.hpp>

#include "runtime/log_queue.hpp"

namespace spatial_dynamics::ros2 {

inline void write_log(const rclcpp::Logger& logger, const LogLine& line) {
  switch (line.level) {
    case LogLevel::kInfo:
      RCLCPP_INFO(logger, "%s", line.text.c_str());
      return;
    case LogLevel::kWarning:
      RCLCPP_WARN(logger, "%s", line.text.c_str());
      return;
    case LogLevel::kError:
      RCLCPP_ERROR(logger, "%s", line.text.c_str());
  }
}

/// The nodes log only through this queue: RCLCPP_* waits while standard error is not read, so it is
/// called on the queue's thread, never on a thread that publishes torques or delivers messages.
/// Allocates; throws std::runtime_error.
inline std::shared_ptr<LogQueue> make_log(const rclcpp::Logger& logger) {
  return std::make_shared<LogQueue>([logger](const LogLine& line) { write_log(logger, line); });
}

}  // namespace spatial_dynamics::ros2
