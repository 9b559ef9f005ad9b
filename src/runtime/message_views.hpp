// Messages of a middleware as the runtime reads them: views, no copies of numbers.
//
// A front end describes its middleware by a struct M: the message types under the names of ROS 2
// (`M::JointState`), functions that read and write their fields, and `M::Publisher<T>`. See
// dds/middleware.hpp and ros2/middleware.hpp. Message structs of both have the same field names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/dynamics_core.hpp"
#include "runtime/message_counts.hpp"
#include "runtime/messages.hpp"

namespace spatial_dynamics {

/// Of a time or a duration: both have `sec` and `nanosec`.
template <typename Time>
std::int64_t nanoseconds_of(const Time& time) noexcept {
  return std::int64_t{time.sec} * 1'000'000'000 + time.nanosec;
}

/// Allocates for names and points, not for numbers. A view is valid while its message lives.
template <typename M>
struct MessageViews {
  static JointStateView of(const typename M::JointState& m, std::uint64_t source = 0) {
    return {nanoseconds_of(m.header.stamp), M::texts(m.name),     M::numbers(m.position),
            M::numbers(m.velocity),         M::numbers(m.effort), source};
  }
  static TrajectoryView of(const typename M::JointTrajectory& m) {
    TrajectoryView result{nanoseconds_of(m.header.stamp), M::texts(m.joint_names), {}};
    const auto& points = M::elements(m.points);
    result.points.reserve(points.size());
    for (const auto& p : points) {
      result.points.push_back({M::numbers(p.positions), M::numbers(p.velocities),
                               M::numbers(p.accelerations), M::numbers(p.effort),
                               nanoseconds_of(p.time_from_start)});
    }
    return result;
  }
  static WrenchView of(const typename M::WrenchStamped& m) noexcept {
    return {M::text(m.header.frame_id), vector(m.wrench.force), vector(m.wrench.torque)};
  }
  static PayloadView of(const typename M::InertiaStamped& m, std::uint64_t source = 0) noexcept {
    const auto& i = m.inertia;
    Matrix3 I;
    I << i.ixx, i.ixy, i.ixz,  //
        i.ixy, i.iyy, i.iyz,   //
        i.ixz, i.iyz, i.izz;
    return {M::text(m.header.frame_id), i.m, vector(i.com), I, source};
  }
  static GravityView of(const typename M::Vector3Stamped& m, std::uint64_t source = 0) noexcept {
    return {M::text(m.header.frame_id), vector(m.vector), source};
  }
  static OdometryView of(const typename M::Odometry& m, std::uint64_t source = 0) noexcept {
    const auto& q = m.pose.pose.orientation;
    return {nanoseconds_of(m.header.stamp), vector(m.pose.pose.position),
            Quaternion(q.w, q.x, q.y, q.z), vector(m.twist.twist.linear),
            vector(m.twist.twist.angular),  source};
  }

 private:
  template <typename Xyz>
  static Vector3 vector(const Xyz& v) noexcept {
    return {v.x, v.y, v.z};
  }
};

/// Why a serialised message of type T must not be decoded; empty if it may.
template <typename M, typename T>
std::string check_counts([[maybe_unused]] std::string_view bytes) {
  if constexpr (std::is_same_v<T, typename M::JointState>) return check_joint_state_counts(bytes);
  if constexpr (std::is_same_v<T, typename M::JointTrajectory>) {
    return check_trajectory_counts(bytes);
  }
  return {};
}

/// Names a message type in a call.
template <typename T>
struct MessageTag {
  using Type = T;
};

/// Calls `subscribe(MessageTag<T>, deliver)` with the message type of an input row of topic_table()
/// and `deliver(core, message, source)`, which gives a message to the core. Does nothing for
/// ~/set_active: how a node is activated is up to its front end.
template <typename M, typename Subscribe>
void subscribe_input(const TopicDescription& row, const Subscribe& subscribe) {
  using Views = MessageViews<M>;
  switch (row.topic) {
    case Topic::kSetActive:
      return;
    case Topic::kJointStates:
      return subscribe(MessageTag<typename M::JointState>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t source) {
                         core.on_joint_states(Views::of(m, source));
                       });
    case Topic::kRobotDescription:
      return subscribe(MessageTag<typename M::String>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t) {
                         core.on_robot_description(M::text(m.data));
                       });
    case Topic::kOdometry:
      return subscribe(MessageTag<typename M::Odometry>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t source) {
                         core.on_odometry(Views::of(m, source));
                       });
    case Topic::kReference:
      return subscribe(MessageTag<typename M::JointTrajectory>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t) {
                         core.on_reference(Views::of(m));
                       });
    case Topic::kEffortCommand:
      return subscribe(MessageTag<typename M::JointState>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t) {
                         core.on_effort_command(Views::of(m));
                       });
    case Topic::kExternalWrench:
      return subscribe(
          MessageTag<typename M::WrenchStamped>(),
          [](DynamicsCore& core, const auto& m, std::uint64_t) { core.on_wrench(Views::of(m)); });
    case Topic::kPayload:
      return subscribe(MessageTag<typename M::InertiaStamped>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t source) {
                         core.on_payload(Views::of(m, source));
                       });
    case Topic::kGravity:
      return subscribe(MessageTag<typename M::Vector3Stamped>(),
                       [](DynamicsCore& core, const auto& m, std::uint64_t source) {
                         core.on_gravity(Views::of(m, source));
                       });
    default:
      throw_unserved(row);
  }
}

}  // namespace spatial_dynamics
