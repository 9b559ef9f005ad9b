// ROS 2's messages as the runtime wants them: views, no copies of numbers.
#pragma once

#include <builtin_interfaces/msg/time.hpp>
#include <cstdint>
#include <geometry_msgs/msg/inertia_stamped.hpp>
#include <geometry_msgs/msg/vector3_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/message_info.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "spatial_dynamics/runtime/messages.hpp"

namespace spatial_dynamics::ros2 {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// Of a time or a duration: both have `sec` and `nanosec`.
template <typename Message>
std::int64_t nanoseconds(const Message& m) noexcept {
  return m.sec * kNanosecondsPerSecond + m.nanosec;
}

/// Times before zero, which messages can't carry, become zero.
inline builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds) noexcept {
  if (nanoseconds < 0) nanoseconds = 0;
  builtin_interfaces::msg::Time time;
  time.sec = static_cast<std::int32_t>(nanoseconds / kNanosecondsPerSecond);
  time.nanosec = static_cast<std::uint32_t>(nanoseconds % kNanosecondsPerSecond);
  return time;
}

inline NumberView numbers(const std::vector<double>& values) noexcept {
  return {values.data(), values.size()};
}

template <typename Xyz>
Vector3 vector3(const Xyz& v) noexcept {
  return {v.x, v.y, v.z};
}

template <typename Xyz>
void assign(Xyz& field, const Vector3& v) noexcept {
  field.x = v.x();
  field.y = v.y();
  field.z = v.z();
}

/// Tells publishers apart, by their global identifiers (FNV-1a). 0: unknown, as for messages from the same process.
inline std::uint64_t publisher_of(const rclcpp::MessageInfo& info) noexcept {
  const rmw_message_info_t& m = info.get_rmw_message_info();
  if (m.from_intra_process) return 0;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t byte : m.publisher_gid.data) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

inline JointStateView translate(const sensor_msgs::msg::JointState& m,
                                std::uint64_t publisher = 0) {
  return {nanoseconds(m.header.stamp), {m.name.begin(), m.name.end()},
          numbers(m.position),         numbers(m.velocity),
          numbers(m.effort),           publisher};
}

inline TrajectoryView translate(const trajectory_msgs::msg::JointTrajectory& m) {
  TrajectoryView result{
      nanoseconds(m.header.stamp), {m.joint_names.begin(), m.joint_names.end()}, {}};
  result.points.reserve(m.points.size());
  for (const auto& p : m.points) {
    result.points.push_back({numbers(p.positions), numbers(p.velocities), numbers(p.accelerations),
                             numbers(p.effort), nanoseconds(p.time_from_start)});
  }
  return result;
}

inline WrenchView translate(const geometry_msgs::msg::WrenchStamped& m) noexcept {
  return {m.header.frame_id, vector3(m.wrench.force), vector3(m.wrench.torque)};
}

inline PayloadView translate(const geometry_msgs::msg::InertiaStamped& m) noexcept {
  const geometry_msgs::msg::Inertia& i = m.inertia;
  Matrix3 I;
  I << i.ixx, i.ixy, i.ixz,  //
      i.ixy, i.iyy, i.iyz,   //
      i.ixz, i.iyz, i.izz;
  return {m.header.frame_id, i.m, vector3(i.com), I};
}

inline GravityView translate(const geometry_msgs::msg::Vector3Stamped& m) noexcept {
  return {m.header.frame_id, vector3(m.vector)};
}

inline OdometryView translate(const nav_msgs::msg::Odometry& m) noexcept {
  const auto& q = m.pose.pose.orientation;
  return {nanoseconds(m.header.stamp), vector3(m.pose.pose.position),
          Quaternion(q.w, q.x, q.y, q.z), vector3(m.twist.twist.linear),
          vector3(m.twist.twist.angular)};
}

}  // namespace spatial_dynamics::ros2
