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
#include "runtime/message_types.hpp"
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

/// Gives a message of an input topic of the node `dynamics` to a core.
template <typename M>
struct InputDelivery {
  using Views = MessageViews<M>;

  void operator()(DynamicsCore& core, const typename M::JointState& m, std::uint64_t source) const {
    if (topic == Topic::kJointStates) {
      core.on_joint_states(Views::of(m, source));
    } else if (topic == Topic::kStiffness) {
      core.on_stiffness(Views::of(m));
    } else {
      core.on_effort_command(Views::of(m));
    }
  }
  void operator()(DynamicsCore& core, const typename M::Bool& m, std::uint64_t) const {
    if (m.data) core.on_acknowledge();  // ~/set_active is for the front end
  }
  void operator()(DynamicsCore& core, const typename M::String& m, std::uint64_t) const {
    core.on_robot_description(M::text(m.data));
  }
  void operator()(DynamicsCore& core, const typename M::Odometry& m, std::uint64_t source) const {
    core.on_odometry(Views::of(m, source));
  }
  void operator()(DynamicsCore& core, const typename M::JointTrajectory& m, std::uint64_t) const {
    core.on_reference(Views::of(m));
  }
  void operator()(DynamicsCore& core, const typename M::WrenchStamped& m, std::uint64_t) const {
    core.on_wrench(Views::of(m));
  }
  void operator()(DynamicsCore& core, const typename M::InertiaStamped& m,
                  std::uint64_t source) const {
    core.on_payload(Views::of(m, source));
  }
  void operator()(DynamicsCore& core, const typename M::Vector3Stamped& m,
                  std::uint64_t source) const {
    core.on_gravity(Views::of(m, source));
  }

  Topic topic;
};

/// Calls `subscribe(MessageTag<T>, deliver)` with the message type of an input row of topic_table()
/// and `deliver(core, message, source)`, which gives a message to the core. Does nothing for topics
/// that concern the front end: see is_for_front_end().
template <typename M, typename Subscribe>
void subscribe_input(const TopicDescription& row, const Subscribe& subscribe) {
  require_row(topic_table(), row, TopicDescription::Direction::kIn);
  if (is_for_front_end(row.topic)) return;
  visit_message_type<M>(row.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using Deliver = InputDelivery<M>;
    if constexpr (std::is_invocable_v<Deliver, DynamicsCore&, const T&, std::uint64_t>) {
      subscribe(tag, Deliver{row.topic});
    } else {
      throw_unserved(row);
    }
  });
}

}  // namespace spatial_dynamics
