// Quality of service of every topic, as the stand-alone node has it.
#pragma once

#include <rclcpp/qos.hpp>

namespace spatial_dynamics::ros2 {

/// Streams that are read, of which only the newest matters: joint states, odometry. Any publisher matches.
inline rclcpp::QoS stream_qos() { return rclcpp::QoS(10).best_effort(); }
/// Commands that are read: none may get lost.
inline rclcpp::QoS command_qos() { return rclcpp::QoS(10).reliable(); }
/// robot_description: who comes late gets it too.
inline rclcpp::QoS description_qos() { return rclcpp::QoS(1).reliable().transient_local(); }
/// What is published: reliable, because a subscriber that asks for it would not match otherwise.
inline rclcpp::QoS output_qos() { return rclcpp::QoS(1).reliable(); }
/// /diagnostics and what else goes out seldom; a simulated robot's states.
inline rclcpp::QoS default_qos() { return rclcpp::QoS(10).reliable(); }

}  // namespace spatial_dynamics::ros2
