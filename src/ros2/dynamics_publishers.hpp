// What the node `dynamics` publishes. Messages are kept and filled anew; one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <geometry_msgs/msg/accel_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <statistics_msgs/msg/metrics_message.hpp>
#include <std_msgs/msg/float64_multi_array.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "ros2/diagnostics.hpp"
#include "ros2/mismatch.hpp"
#include "spatial_dynamics/runtime/output_values.hpp"

namespace spatial_dynamics::ros2 {

class DynamicsPublishers {
 public:
  /// Plain publishers, not lifecycle ones: the ramp to zero goes on after `deactivate`.
  DynamicsPublishers(rclcpp_lifecycle::LifecycleNode& node, const Config& config,
                     const NoteMismatch& note_mismatch);

  /// False if there was a torque to send and the middleware refused it.
  [[nodiscard]] bool publish(const Robot& robot, const EngineOutputs& outputs);
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics,
                      std::int64_t now);
  /// Messages that the middleware refused.
  [[nodiscard]] std::uint64_t unsent() const noexcept { return unsent_; }
  /// Whether subscribers have the last torque; waits for it.
  [[nodiscard]] bool arrived(std::chrono::milliseconds limit) const;

 private:
  using JointState = sensor_msgs::msg::JointState;
  using Float64MultiArray = std_msgs::msg::Float64MultiArray;
  using JointTrajectory = trajectory_msgs::msg::JointTrajectory;

  template <typename Message>
  struct Output {  // a publisher, if it is asked for, with its message
    typename rclcpp::Publisher<Message>::SharedPtr publisher;
    Message message;
    explicit operator bool() const noexcept { return publisher != nullptr; }
  };

  template <typename Message>
  bool send(Output<Message>& output) {
    try {
      output.publisher->publish(output.message);
      return true;
    } catch (const std::exception&) {
      ++unsent_;
      return false;
    }
  }

  bool send_joint_vector(Output<JointState>& output, const Robot& robot, std::int64_t stamp,
                         const VectorXd& values);
  void send_acceleration(const Robot& robot, const EngineOutputs& outputs);
  void send_base(const Robot& robot, const EngineOutputs& outputs);
  void send_mass_matrix(const Robot& robot, const EngineOutputs& outputs);

  std::string name_;
  std::uint64_t unsent_ = 0;
  TorqueArray array_values_;
  Output<JointState> torque_, gravity_, coriolis_, inertial_, friction_, external_,
      external_torque_;
  Output<Float64MultiArray> torque_array_, mass_matrix_;
  Output<JointTrajectory> acceleration_;
  Output<geometry_msgs::msg::AccelStamped> base_acceleration_;
  Output<geometry_msgs::msg::WrenchStamped> base_wrench_;
  DiagnosticsPublisher diagnostics_;
  Output<statistics_msgs::msg::MetricsMessage> statistics_;
};

}  // namespace spatial_dynamics::ros2
