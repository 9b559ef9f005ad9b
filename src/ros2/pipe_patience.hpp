// How long a node waits for a URDF that comes out of a pipe.
#pragma once

#include <chrono>
#include <rclcpp/context.hpp>

#include "model/urdf_file.hpp"

namespace spatial_dynamics::ros2 {

/// Five seconds, or until the context ends: a pipe that nobody writes to must not block configure
/// or a constructor for ever.
inline GiveUp pipe_patience(rclcpp::Context::SharedPtr context) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  return [context = std::move(context), deadline] {
    return !context->is_valid() || std::chrono::steady_clock::now() > deadline;
  };
}

}  // namespace spatial_dynamics::ros2
