// Being a ROS 2 node: which node this participant holds, and which readers and writers are that node's.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dds/environment.hpp"
#include "dds/participant.hpp"
#include "dds/qos.hpp"
#include "dds/topic_names.hpp"

namespace spatial_dynamics::dds {

/// What readers and writers have to say beside data. Called on threads of the middleware, several at a time; must not make or
/// delete readers and writers.
struct Events {
  std::function<void(const QosMismatch&)> on_qos_mismatch;
  /// A callback threw, or reading failed: one sentence.
  std::function<void(const std::string& sentence)> on_error;
};

/// Size of an endpoint's identifier in ROS 2's discovery messages.
enum class GidSize {
  k16 = 16,  ///< from Iron on
  k24 = 24,  ///< up to Humble
};

/// SPATIAL_DYNAMICS_GID_BYTES (16 or 24), else what ROS_DISTRO uses, else 16. With the wrong one data flows, but the node is not
/// in `ros2 node list`. Throws Error.
GidSize gid_size_from(const Environment& environment);

/// One participant with one node. Readers and writers share it, so that it goes last. Publishes `ros_discovery_info` whenever
/// one of them comes or goes. Thread-safe. Allocates; throws Error.
class Graph {
 public:
  Graph(const DiscoveryOptions& options, const SecurityOptions& security, NodeName node,
        GidSize gid_size, Events events);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] const Participant& participant() const noexcept { return participant_; }
  [[nodiscard]] const NodeName& node() const noexcept { return node_; }
  [[nodiscard]] const Events& events() const noexcept { return events_; }

  void add_reader(dds_entity_t reader);
  void add_writer(dds_entity_t writer);
  void remove_reader(dds_entity_t reader) noexcept;
  void remove_writer(dds_entity_t writer) noexcept;

 private:
  class Announcer;
  template <typename Info>
  class AnnouncerOf;

  void add(std::vector<dds_guid_t>& list, dds_entity_t endpoint);
  void remove(std::vector<dds_guid_t>& list, dds_entity_t endpoint) noexcept;

  Participant participant_;
  NodeName node_;
  Events events_;
  std::mutex mutex_;
  std::vector<dds_guid_t> readers_;
  std::vector<dds_guid_t> writers_;
  std::unique_ptr<Announcer> announcer_;
};

}  // namespace spatial_dynamics::dds
