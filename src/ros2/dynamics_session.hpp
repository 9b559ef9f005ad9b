// The node `dynamics` from configure to cleanup: its topics, and DynamicsCore, which decides everything.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <rclcpp/node_interfaces/node_graph_interface.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ros2/dynamics_publishers.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics::ros2 {

class DynamicsSession final : private FrontEnd,
                              public std::enable_shared_from_this<DynamicsSession> {
 public:
  /// Loads the robot if the parameters name one (else it is awaited on robot_description) and joins the topics. Throws ModelError,
  /// ParameterError or RealtimeError with one sentence.
  static std::shared_ptr<DynamicsSession> open(rclcpp_lifecycle::LifecycleNode& node,
                                               const ParameterSet& parameters);

  void activate() noexcept { core_.activate(); }
  /// Begins the ramp to zero.
  void deactivate() noexcept { core_.deactivate(); }
  /// After deactivate(): whether the torque is zero and subscribers have that zero, or have had time enough; from then on nothing is
  /// sent. Does not wait for it; to be asked again.
  [[nodiscard]] bool ended();
  /// Ramps to zero, waits for it and for its arrival, and ends.
  void finish(std::chrono::milliseconds limit);
  void set_parameters(const std::vector<std::pair<std::string, ParameterValue>>& changes) {
    core_.set_parameters(changes);
  }

  ~DynamicsSession() override;
  DynamicsSession(const DynamicsSession&) = delete;
  DynamicsSession& operator=(const DynamicsSession&) = delete;

 private:
  DynamicsSession(rclcpp_lifecycle::LifecycleNode& node, const ParameterSet& parameters);
  void subscribe(rclcpp_lifecycle::LifecycleNode& node);
  void await_robot(rclcpp_lifecycle::LifecycleNode& node);
  void set_robot(std::string_view urdf);
  [[nodiscard]] NoteMismatch note_mismatch(const char* peer);

  [[nodiscard]] bool publish(const Robot& robot, const EngineOutputs& outputs) override;
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics) override;
  void log(LogLevel level, const std::string& text) override;
  [[nodiscard]] Surroundings surroundings() const override;
  [[nodiscard]] std::int64_t ros_now() const override;

  rclcpp::Logger logger_;
  rclcpp::Clock::SharedPtr clock_;
  rclcpp::node_interfaces::NodeGraphInterface::SharedPtr graph_;
  std::string name_;
  std::size_t domain_;
  DynamicsCore core_;
  std::optional<DynamicsPublishers> publishers_;                    // from open() on
  std::optional<std::chrono::steady_clock::time_point> last_word_;  // when the zero was sent
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr description_;
  rclcpp::SubscriptionBase::SharedPtr states_, odometry_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
};

}  // namespace spatial_dynamics::ros2
