// The demo's part in a ROS 2 graph: it requests a motion from the dynamics node and reports how
// well the robot follows.
#pragma once

#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "runtime/log_queue.hpp"
#include "simulation/tracked_motion.hpp"

namespace spatial_dynamics::ros2 {

/// Sends a smooth motion within the robot's limits to dynamics/reference, piece by piece, and logs
/// the tracking error every two seconds. Parameters: robot_description, urdf_file, floating_base.
class DemoNode final : public rclcpp::Node {
 public:
  /// Throws ModelError.
  explicit DemoNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());

 private:
  using JointState = sensor_msgs::msg::JointState;
  using JointTrajectory = trajectory_msgs::msg::JointTrajectory;

  void on_states(const JointState& states);
  void send_reference();
  void report();
  [[nodiscard]] double seconds_since_begin(const rclcpp::Time& time) const;

  std::shared_ptr<LogQueue> log_;
  std::vector<std::string> names_;
  std::vector<bool> is_length_;  // per name
  std::optional<TrackedMotion> motion_;
  std::optional<rclcpp::Time> begun_;
  JointTrajectory piece_;

  rclcpp::Publisher<JointTrajectory>::SharedPtr publisher_;
  bool driven_ = false;  // a torque has arrived
  rclcpp::Subscription<JointState>::SharedPtr states_, torques_;
  rclcpp::TimerBase::SharedPtr send_timer_, report_timer_;
};

}  // namespace spatial_dynamics::ros2
