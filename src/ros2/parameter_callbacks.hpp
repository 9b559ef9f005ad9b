// Changes of ROS 2 parameters: checked before rclcpp accepts them, applied afterwards.
#pragma once

#include <functional>
#include <memory>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <vector>

#include "runtime/log_queue.hpp"
#include "runtime/parameters.hpp"

namespace spatial_dynamics::ros2 {

/// Calls back for changes of a table's parameters, from construction to destruction.
class ParameterCallbacks {
 public:
  using Handle = std::function<void(const ParameterChanges&)>;

  /// `check` throws the reason for which changes are rejected, and changes nothing. `apply` is
  /// called after rclcpp has accepted them. The table outlives this object.
  ParameterCallbacks(rclcpp_lifecycle::LifecycleNode& node, const ParameterTable& table,
                     std::shared_ptr<LogQueue> log, Handle check, Handle apply);

 private:
  [[nodiscard]] rcl_interfaces::msg::SetParametersResult check(
      const std::vector<rclcpp::Parameter>& changes) const;
  void apply(const std::vector<rclcpp::Parameter>& changes) const;

  const ParameterTable& table_;
  std::shared_ptr<LogQueue> log_;
  Handle check_, apply_;
  std::shared_ptr<void> before_set_, after_set_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr on_set_;
};

}  // namespace spatial_dynamics::ros2
