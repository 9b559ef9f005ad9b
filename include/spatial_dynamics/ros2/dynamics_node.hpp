// The node `dynamics` for ROS 2: a lifecycle component.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "spatial_dynamics/runtime/parameters.hpp"

namespace spatial_dynamics {

namespace ros2 {
class DiagnosticsPublisher;
class DynamicsSession;
}  // namespace ros2

/// configure builds the robot and joins its topics; activate sends torques as soon as states arrive; deactivate, and Ctrl-C, ramp
/// them to zero while states are still being read. No transition waits for the ramp: it ends by itself, what it needs is let go
/// then. With the parameter `autostart` (true) the node configures and activates itself once it is spun. When the context ends, all
/// nodes in it ramp at the same time. While there is nothing configured, diagnostics tell why.
class DynamicsNode final : public rclcpp_lifecycle::LifecycleNode {
 public:
  /// Throws ParameterError for a parameter that is refused.
  explicit DynamicsNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  /// Waits for the ramp to zero, less than a second.
  ~DynamicsNode() override;

 private:
  using Answer = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
  Answer on_configure(const rclcpp_lifecycle::State& previous) override;
  Answer on_activate(const rclcpp_lifecycle::State& previous) override;
  Answer on_deactivate(const rclcpp_lifecycle::State& previous) override;
  Answer on_cleanup(const rclcpp_lifecycle::State& previous) override;
  Answer on_shutdown(const rclcpp_lifecycle::State& previous) override;
  Answer on_error(const rclcpp_lifecycle::State& previous) override;

  rcl_interfaces::msg::SetParametersResult on_set(const std::vector<rclcpp::Parameter>& changes);
  void autostart();
  void end_session();
  void let_go_when_ended();
  void begin_shutdown();
  void before_shutdown();
  void tell_why_not();

  std::mutex
      mutex_;  // all below; transitions, parameters and shutdown may come on different threads
  ParameterSet parameters_{parameter_table()};
  std::shared_ptr<ros2::DynamicsSession> session_;  ///< from configure to cleanup
  std::shared_ptr<ros2::DynamicsSession> ending_;   ///< after it, until the torque is zero
  std::optional<std::chrono::steady_clock::time_point> shutdown_begun_;
  std::string refusal_;                                      ///< why configure failed
  std::shared_ptr<ros2::DiagnosticsPublisher> diagnostics_;  ///< while there is no session

  rclcpp::TimerBase::SharedPtr autostart_timer_, ending_timer_, report_timer_;
  std::shared_ptr<void> before_set_handle_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr on_set_handle_;
  std::optional<rclcpp::PreShutdownCallbackHandle> before_shutdown_handle_;
};

}  // namespace spatial_dynamics
