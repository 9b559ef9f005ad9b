#include "ros2/rivals.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

namespace spatial_dynamics::ros2 {
namespace {

constexpr std::size_t kMostSources = 256;  // whose topics are kept: memory is bounded
constexpr std::chrono::milliseconds kLongestWait(50);
constexpr const char* kMetrics = "statistics_msgs/msg/MetricsMessage";

/// A global identifier as one number (FNV-1a).
template <typename Bytes>
std::uint64_t number_of(const Bytes& identifier) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t byte : identifier) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::uint64_t publisher_of(const rclcpp::MessageInfo& info) noexcept {
  const rmw_message_info_t& m = info.get_rmw_message_info();
  return m.from_intra_process ? 0 : number_of(m.publisher_gid.data);
}

std::string publisher_name(const rclcpp::MessageInfo& info) {
  const rmw_message_info_t& m = info.get_rmw_message_info();
  if (m.from_intra_process) return "in this process";
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    text += kDigits[m.publisher_gid.data[i] >> 4U];
    text += kDigits[m.publisher_gid.data[i] & 0xFU];
  }
  return text;
}

std::uint64_t source_of(const rclcpp::TopicEndpointInfo& endpoint) noexcept {
  return number_of(endpoint.endpoint_gid());
}

std::string node_of(const rclcpp::TopicEndpointInfo& endpoint) {
  if (endpoint.node_name().empty() || endpoint.node_name() == "_NODE_NAME_UNKNOWN_") return {};
  const std::string& space = endpoint.node_namespace();
  return (space.empty() || space == "/" ? "/" : space + '/') + endpoint.node_name();
}

TopicRivals::TopicRivals(GraphInterface::SharedPtr graph, std::string node, std::string topic)
    : graph_(std::move(graph)), node_(std::move(node)), topic_(std::move(topic)) {
  for (const auto& endpoint : graph_->get_publishers_info_by_topic(topic_)) {
    before_.push_back(endpoint.endpoint_gid());
  }
}

void TopicRivals::find_ours(const rclcpp::PublisherBase& publisher) {
  std::copy_n(std::begin(publisher.get_gid().data), gid_.size(), gid_.begin());
  our_source_ = number_of(gid_);
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  while (!is_listed() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool TopicRivals::is_listed() {
  if (ours_ != Identifier{}) return true;
  for (const auto& endpoint : graph_->get_publishers_info_by_topic(topic_)) {
    const Identifier listed = endpoint.endpoint_gid();
    // Some middlewares have another identifier in the graph than for messages: there ours is the
    // new one.
    const bool is_new = std::find(before_.begin(), before_.end(), listed) == before_.end();
    if (listed == gid_ || (is_new && ros2::node_of(endpoint) == node_)) ours_ = listed;
    if (listed == gid_) break;
  }
  return ours_ != Identifier{};
}

bool TopicRivals::is_dynamics_node(const rclcpp::TopicEndpointInfo& endpoint) const {
  const auto topics = graph_->get_publisher_names_and_types_by_node(endpoint.node_name(),
                                                                    endpoint.node_namespace());
  const auto found = topics.find(ros2::node_of(endpoint) + "/statistics");
  return found != topics.end() &&
         std::find(found->second.begin(), found->second.end(), kMetrics) != found->second.end();
}

std::vector<ForeignPublisher> TopicRivals::foreign_publishers() {
  std::vector<ForeignPublisher> result;
  if (!is_listed()) return result;  // one of them is our own
  for (const auto& endpoint : graph_->get_publishers_info_by_topic(topic_)) {
    if (endpoint.endpoint_gid() == ours_) continue;
    const std::string node = ros2::node_of(endpoint);
    result.push_back({source_of(endpoint), topic_, node,
                      !node.empty() && is_dynamics_node(endpoint),
                      endpoint.endpoint_gid() < ours_});
  }
  return result;
}

void SourceNames::note(std::uint64_t source, const std::string& topic) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (topics_.count(source) != 0) return;
  if (topics_.size() >= kMostSources) topics_.clear();
  topics_.emplace(source, topic);
}

std::string SourceNames::node_of(std::uint64_t source) const {
  std::string topic;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = topics_.find(source);
    if (found == topics_.end()) return {};
    topic = found->second;
  }
  try {
    const auto endpoints = graph_->get_publishers_info_by_topic(topic);
    for (const auto& endpoint : endpoints) {
      if (source_of(endpoint) == source) return ros2::node_of(endpoint);
    }
    if (endpoints.size() == 1) return ros2::node_of(endpoints.front());
  } catch (const std::exception&) {  // the context has ended, and the graph with it
  }
  return {};
}

}  // namespace spatial_dynamics::ros2
