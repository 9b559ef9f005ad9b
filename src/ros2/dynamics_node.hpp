// The node `dynamics` for ROS 2: a lifecycle component.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <string>
#include <vector>

#include "runtime/activation_command.hpp"
#include "runtime/log_queue.hpp"
#include "runtime/parameters.hpp"
#include "runtime/parameters_table.hpp"

namespace spatial_dynamics {

struct QosMismatch;
struct TopicDescription;
template <typename M>
class OutputPublishers;

namespace ros2 {
class DynamicsSession;
class ParameterCallbacks;
struct Rclcpp;
}  // namespace ros2

/// configure builds the robot and joins its topics; activate sends torques as soon as states
/// arrive; deactivate, and Ctrl-C, ramp them to zero while states are still being read. No
/// transition waits for the ramp, which goes on by itself; its resources are released when it has
/// ended. The topic
/// ~/set_active and the service of the same name make these two transitions as well, so that
/// lifecycle state and torque agree; `true` while active activates again, which ends a latched
/// stop. With the parameter `autostart` (true) the node configures and activates itself once it is
/// spun. When the context ends, all nodes in it ramp at the same time. While nothing is configured,
/// diagnostics report why.
class DynamicsNode final : public rclcpp_lifecycle::LifecycleNode {
 public:
  /// Throws ParameterError for a parameter that is rejected.
  explicit DynamicsNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  /// Waits for the ramp to zero: see DynamicsCore::finish().
  ~DynamicsNode() override;

 private:
  using Answer = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
  Answer on_configure(const rclcpp_lifecycle::State& previous) override;
  Answer on_activate(const rclcpp_lifecycle::State& previous) override;
  Answer on_deactivate(const rclcpp_lifecycle::State& previous) override;
  Answer on_cleanup(const rclcpp_lifecycle::State& previous) override;
  Answer on_shutdown(const rclcpp_lifecycle::State& previous) override;
  Answer on_error(const rclcpp_lifecycle::State& previous) override;

  /// See ros2::ParameterCallbacks.
  void check(const ParameterChanges& changes);
  void apply(const ParameterChanges& changes);
  void autostart();
  void join_topics_of_every_state();
  void offer_acknowledge();
  void listen_for_activation(const TopicDescription& row,
                             const std::function<void(const QosMismatch&)>& note);
  /// Returns the command with its result.
  ActivationCommand set_active(bool active, const std::string& source);
  /// Returns why it was rejected; empty: it was executed.
  std::string try_set_active(bool active);
  void end_session();
  void release_when_ended();
  void begin_shutdown();
  void before_shutdown();
  void report_without_session();

  std::shared_ptr<LogQueue> log_;
  LimitedLog activations_{
      [this](LogLevel level, const std::string& text) { log_->push(level, "", text); }};
  std::atomic<bool> is_ending_{false};  ///< known before mutex_ is free

  // Of all below: transitions, parameters and shutdown may come on different threads.
  std::mutex mutex_;
  /// While there is no session; else the session's DynamicsCore owns them.
  ParameterSet parameters_{parameter_table()};
  std::shared_ptr<ros2::DynamicsSession> session_;  ///< from configure to cleanup
  std::shared_ptr<ros2::DynamicsSession> ending_;   ///< after it, until the torque is zero
  std::optional<std::chrono::steady_clock::time_point> shutdown_begun_;
  std::string rejection_;                            ///< why configure failed
  std::string last_command_ = kNoActivationCommand;  ///< on ~/set_active, with its result
  std::shared_ptr<OutputPublishers<ros2::Rclcpp>> diagnostics_;  ///< while there is no session

  rclcpp::Subscription<std_msgs::msg::Bool>::SharedPtr active_subscription_;
  rclcpp::Service<std_srvs::srv::SetBool>::SharedPtr active_service_;
  rclcpp::Service<std_srvs::srv::Trigger>::SharedPtr acknowledge_service_;

  rclcpp::TimerBase::SharedPtr autostart_timer_, ending_timer_, report_timer_;
  std::shared_ptr<ros2::ParameterCallbacks> callbacks_;
  std::optional<rclcpp::PreShutdownCallbackHandle> before_shutdown_handle_;
};

}  // namespace spatial_dynamics
