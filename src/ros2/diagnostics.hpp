// The topic /diagnostics.
#pragma once

#include <cstdint>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <exception>
#include <rclcpp/create_publisher.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>

#include "ros2/qos.hpp"
#include "ros2/translate.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics::ros2 {

class DiagnosticsPublisher {
 public:
  explicit DiagnosticsPublisher(rclcpp_lifecycle::LifecycleNode& node)
      : name_(std::string(node.get_node_base_interface()->get_fully_qualified_name()) +
              ": rigid-body dynamics"),
        publisher_(rclcpp::create_publisher<DiagnosticArray>(node, "/diagnostics", default_qos())) {
  }

  /// False if the middleware refused it.
  bool publish(const Diagnostics& diagnostics, std::int64_t now) const {
    DiagnosticArray message;
    message.header.stamp = to_time(now);
    auto& status = message.status.emplace_back();
    status.level = static_cast<std::uint8_t>(diagnostics.level);
    status.name = name_;
    status.message = diagnostics.message;
    for (const auto& [key, value] : diagnostics.values) {
      auto& entry = status.values.emplace_back();
      entry.key = key;
      entry.value = value;
    }
    try {
      publisher_->publish(message);
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }

 private:
  using DiagnosticArray = diagnostic_msgs::msg::DiagnosticArray;

  std::string name_;
  rclcpp::Publisher<DiagnosticArray>::SharedPtr publisher_;
};

}  // namespace spatial_dynamics::ros2
