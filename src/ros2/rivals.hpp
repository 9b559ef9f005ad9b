// Other publishers of our torque topics, and the names behind messages, as ROS 2's graph has them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <vector>

#include "runtime/activation_gate.hpp"

namespace spatial_dynamics::ros2 {

using GraphInterface = rclcpp::node_interfaces::NodeGraphInterface;

/// A number for the publisher of a message, by its global identifier. 0: unknown, as for messages
/// from the same process.
std::uint64_t publisher_of(const rclcpp::MessageInfo& info) noexcept;
/// Its global identifier in hexadecimal digits, for people. Allocates.
std::string publisher_name(const rclcpp::MessageInfo& info);

/// The number that publisher_of() returns for this publisher's messages, if the middleware uses the
/// identifiers of the graph for messages too.
std::uint64_t source_of(const rclcpp::TopicEndpointInfo& endpoint) noexcept;
/// "/left/arm"; empty if the graph does not know it yet.
std::string node_of(const rclcpp::TopicEndpointInfo& endpoint);

/// Finds the foreign publishers of one topic on which we publish. Functions may throw what the
/// graph throws. One thread at a time.
class TopicRivals {
 public:
  /// Call it before creating our publisher: all publishers of the topic so far are foreign.
  TopicRivals(GraphInterface::SharedPtr graph, std::string node, std::string topic);
  /// Call it after creating our publisher. Waits up to 50 ms until the graph lists it.
  void find_ours(const rclcpp::PublisherBase& publisher);

  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  /// Whether a message comes from our own publisher.
  [[nodiscard]] bool is_ours(std::uint64_t source) const noexcept { return source == our_source_; }
  /// Empty until the graph lists our own publisher.
  [[nodiscard]] std::vector<ForeignPublisher> foreign_publishers();

 private:
  using Identifier = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  [[nodiscard]] bool is_listed();
  [[nodiscard]] bool is_dynamics_node(const rclcpp::TopicEndpointInfo& endpoint) const;

  GraphInterface::SharedPtr graph_;
  std::string node_, topic_;
  std::vector<Identifier> before_;
  Identifier gid_{};              // of our publisher
  Identifier ours_{};             // the same in the graph, once it is listed
  std::uint64_t our_source_ = 0;  // in messages
};

/// The nodes behind messages' sources. Thread-safe.
class SourceNames {
 public:
  explicit SourceNames(GraphInterface::SharedPtr graph) : graph_(std::move(graph)) {}

  /// A message from this source arrived on this topic.
  void note(std::uint64_t source, const std::string& topic);
  /// Empty if it is not known.
  [[nodiscard]] std::string node_of(std::uint64_t source) const;

 private:
  GraphInterface::SharedPtr graph_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::string> topics_;
};

}  // namespace spatial_dynamics::ros2
