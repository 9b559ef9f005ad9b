// Sentences of the runtime to ROS 2's log.
#pragma once

#include <rclcpp/logging.hpp>
#include <string>

#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics::ros2 {

inline void write_log(const rclcpp::Logger& logger, LogLevel level, const std::string& text) {
  switch (level) {
    case LogLevel::kInfo:
      RCLCPP_INFO(logger, "%s", text.c_str());
      return;
    case LogLevel::kWarning:
      RCLCPP_WARN(logger, "%s", text.c_str());
      return;
    case LogLevel::kError:
      RCLCPP_ERROR(logger, "%s", text.c_str());
  }
}

}  // namespace spatial_dynamics::ros2
