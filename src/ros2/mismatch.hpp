// Peers whose quality of service does not fit ours.
#pragma once

#include <algorithm>
#include <functional>
#include <rclcpp/rclcpp.hpp>
#include <string>

namespace spatial_dynamics::ros2 {

/// `policy` names what differs: "RELIABILITY".
using NoteMismatch = std::function<void(const std::string& topic, const std::string& policy)>;

/// Has `make` create a publisher or a subscription with these options, which then call `note` for each peer that does not fit. Where
/// the middleware can't tell (some of Humble's can't) it is made all the same.
template <typename Options, typename Make>
auto noting_mismatches(Options& options, const std::string& topic, const NoteMismatch& note,
                       const Make& make) {
  options.event_callbacks.incompatible_qos_callback = [topic, note](const auto& event) {
    std::string policy = rclcpp::qos_policy_name_from_kind(event.last_policy_kind);
    policy.resize(std::min(policy.size(), policy.find("_QOS_POLICY")));
    note(topic, policy);
  };
  try {
    return make();
  } catch (const rclcpp::UnsupportedEventTypeException&) {
    options.event_callbacks.incompatible_qos_callback = nullptr;
    return make();
  }
}

}  // namespace spatial_dynamics::ros2
