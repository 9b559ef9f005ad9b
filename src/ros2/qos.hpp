// Quality of service as rclcpp takes it.
#pragma once

#include <rclcpp/duration.hpp>
#include <rclcpp/qos.hpp>

#include "runtime/qos.hpp"

namespace spatial_dynamics::ros2 {

/// A deadline is that of a publisher: each message asserts its liveliness.
inline rclcpp::QoS to_rclcpp(const Qos& qos) {
  rclcpp::QoS result(static_cast<std::size_t>(qos.depth));
  if (qos.reliability == Reliability::kReliable) {
    result.reliable();
  } else {
    result.best_effort();
  }
  if (qos.durability == Durability::kTransientLocal) result.transient_local();
  if (qos.deadline.count() > 0) {
    const rclcpp::Duration deadline(qos.deadline);
    result.deadline(deadline)
        .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
        .liveliness_lease_duration(deadline);
  }
  return result;
}

}  // namespace spatial_dynamics::ros2
