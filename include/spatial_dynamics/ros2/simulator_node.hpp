// The node `robot_simulator` for ROS 2: a simulated robot, as a component.
#pragma once

#include <memory>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>

#include "spatial_dynamics/runtime/simulator_core.hpp"

namespace spatial_dynamics {

/// Efforts from dynamics/torque in, joint_states (and odom, /clock) out; services ~/pause and ~/reset. An ordinary node: it stands
/// for a robot, which is there or not.
class SimulatorNode final : public rclcpp::Node, private SimulatorFrontEnd {
 public:
  /// Throws ModelError, ParameterError or RealtimeError with one sentence.
  explicit SimulatorNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~SimulatorNode() override;

 private:
  void publish(const Engine& robot, const Measurement& measurement, std::int64_t stamp,
               std::int64_t clock) override;
  void log(LogLevel level, const std::string& text) override;
  void send_odometry(const Engine& robot, const Measurement& measurement, std::int64_t stamp);
  void listen();

  std::unique_ptr<SimulatorCore> core_;
  sensor_msgs::msg::JointState state_;  // of the simulation's thread, as are the next two
  nav_msgs::msg::Odometry odometry_;
  rosgraph_msgs::msg::Clock clock_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr states_publisher_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odometry_publisher_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_publisher_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr description_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr effort_;
  rclcpp::Service<std_srvs::srv::SetBool>::SharedPtr pause_;
  rclcpp::Service<std_srvs::srv::Trigger>::SharedPtr reset_;
};

}  // namespace spatial_dynamics
