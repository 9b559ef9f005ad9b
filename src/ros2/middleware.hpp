// rclcpp as runtime/message_views.hpp and runtime/output_publishers.hpp use a middleware.
#pragma once

#include <algorithm>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <exception>
#include <functional>
#include <geometry_msgs/msg/accel_stamped.hpp>
#include <geometry_msgs/msg/inertia_stamped.hpp>
#include <geometry_msgs/msg/vector3_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/create_publisher.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <statistics_msgs/msg/metrics_message.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/float64_multi_array.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <string_view>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "ros2/qos.hpp"
#include "runtime/message_views.hpp"
#include "runtime/output_publishers.hpp"

namespace spatial_dynamics::ros2 {

struct Rclcpp {
  using Bool = std_msgs::msg::Bool;
  using String = std_msgs::msg::String;
  using Float64MultiArray = std_msgs::msg::Float64MultiArray;
  using JointState = sensor_msgs::msg::JointState;
  using JointTrajectory = trajectory_msgs::msg::JointTrajectory;
  using Odometry = nav_msgs::msg::Odometry;
  using AccelStamped = geometry_msgs::msg::AccelStamped;
  using WrenchStamped = geometry_msgs::msg::WrenchStamped;
  using InertiaStamped = geometry_msgs::msg::InertiaStamped;
  using Vector3Stamped = geometry_msgs::msg::Vector3Stamped;
  using DiagnosticArray = diagnostic_msgs::msg::DiagnosticArray;
  using MetricsMessage = statistics_msgs::msg::MetricsMessage;
  using Clock = rosgraph_msgs::msg::Clock;

  template <typename T>
  struct Owned {
    T value;
    T& operator*() noexcept { return value; }
  };
  template <typename T>
  using Publisher = std::shared_ptr<rclcpp::Publisher<T>>;
  template <typename T>
  static bool send(Publisher<T>& publisher, const T& message) {
    try {
      publisher->publish(message);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  static std::string_view text(const std::string& field) noexcept { return field; }
  static std::vector<std::string_view> texts(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }
  static NumberView numbers(const std::vector<double>& values) noexcept {
    return {values.data(), values.size()};
  }
  template <typename Sequence>
  static const Sequence& elements(const Sequence& sequence) noexcept {
    return sequence;
  }
  template <typename Field, typename Value>
  static void assign(Field& field, const Value& value) {
    field = value;
  }
  /// Returns the elements.
  template <typename Sequence>
  static Sequence& resize(Sequence& sequence, std::size_t size) {
    sequence.resize(size);
    return sequence;
  }
};

using NoteMismatch = std::function<void(const QosMismatch&)>;

/// Has `make` create a publisher or a subscription with these options, which call `note` for each
/// peer whose quality of service does not fit. Where the middleware can't report this (some of
/// Humble's can't), the options have no such callback.
template <typename Options, typename Make>
auto noting_mismatches(Options& options, const std::string& topic, const NoteMismatch& note,
                       const Make& make) {
  constexpr bool kPublishes = std::is_base_of_v<rclcpp::PublisherOptionsBase, Options>;
  options.use_default_callbacks = false;  // which log on the thread that delivers messages
  options.event_callbacks.incompatible_qos_callback = [topic, note](const auto& event) {
    std::string policy = rclcpp::qos_policy_name_from_kind(event.last_policy_kind);
    policy.resize(std::min(policy.size(), policy.find("_QOS_POLICY")));
    note({topic, kPublishes, policy});
  };
  try {
    return make();
  } catch (const rclcpp::UnsupportedEventTypeException&) {
    options.event_callbacks.incompatible_qos_callback = nullptr;
    return make();
  }
}

/// Creates the publishers of output rows: `publishers.advertise(row, creator(node, row, note))`.
/// Plain publishers, not lifecycle ones, because the ramp to zero continues after `deactivate`. For
/// any kind of node.
template <typename Node>
auto creator(Node& node, const TopicDescription& row, const NoteMismatch& note) {
  return [&node, &row, note](auto tag) {
    using T = typename decltype(tag)::Type;
    rclcpp::PublisherOptions options;
    const std::string name = node.get_node_topics_interface()->resolve_topic_name(row.name);
    return noting_mismatches(options, name, note, [&] {
      return rclcpp::create_publisher<T>(node, row.name, to_rclcpp(row.qos), options);
    });
  };
}

}  // namespace spatial_dynamics::ros2
