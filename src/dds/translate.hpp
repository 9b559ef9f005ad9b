// Messages of the middleware as the runtime wants them: views, no copies of numbers.
#pragma once

#include "dds/message.hpp"
#include "dds/messages.hpp"
#include "spatial_dynamics/runtime/messages.hpp"

namespace spatial_dynamics::dds {

template <typename Sequence>
NumberView numbers(const Sequence& sequence) noexcept {
  return {sequence._buffer, sequence._length};
}

template <typename Sequence>
std::vector<std::string_view> texts(const Sequence& sequence) {
  std::vector<std::string_view> result;
  result.reserve(sequence._length);
  for (const std::string_view name : view(sequence)) result.push_back(name);
  return result;
}

template <typename Xyz>
Vector3 vector3(const Xyz& v) noexcept {
  return {v.x, v.y, v.z};
}

inline void assign(Vector3Message& field, const Vector3& v) noexcept {
  field = {v.x(), v.y(), v.z()};
}

inline JointStateView translate(const JointState& m, std::uint64_t publisher = 0) {
  return {nanoseconds(m.header.stamp), texts(m.name),     numbers(m.position),
          numbers(m.velocity),         numbers(m.effort), publisher};
}

inline TrajectoryView translate(const JointTrajectory& m) {
  TrajectoryView result{nanoseconds(m.header.stamp), texts(m.joint_names), {}};
  result.points.reserve(m.points._length);
  for (const JointTrajectoryPoint& p : view(m.points)) {
    result.points.push_back({numbers(p.positions), numbers(p.velocities), numbers(p.accelerations),
                             numbers(p.effort), nanoseconds(p.time_from_start)});
  }
  return result;
}

inline WrenchView translate(const WrenchStamped& m) noexcept {
  return {text(m.header.frame_id), vector3(m.wrench.force), vector3(m.wrench.torque)};
}

inline PayloadView translate(const InertiaStamped& m) noexcept {
  Matrix3 I;
  I << m.inertia.ixx, m.inertia.ixy, m.inertia.ixz,  //
      m.inertia.ixy, m.inertia.iyy, m.inertia.iyz,   //
      m.inertia.ixz, m.inertia.iyz, m.inertia.izz;
  return {text(m.header.frame_id), m.inertia.m, vector3(m.inertia.com), I};
}

inline GravityView translate(const Vector3Stamped& m) noexcept {
  return {text(m.header.frame_id), vector3(m.vector)};
}

inline OdometryView translate(const Odometry& m) noexcept {
  const auto& q = m.pose.pose.orientation;
  return {nanoseconds(m.header.stamp), vector3(m.pose.pose.position),
          Quaternion(q.w, q.x, q.y, q.z), vector3(m.twist.twist.linear),
          vector3(m.twist.twist.angular)};
}

}  // namespace spatial_dynamics::dds
