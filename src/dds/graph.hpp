// Being a ROS 2 node: which node this participant holds, and which readers and writers are that
// node's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dds/discovery_options.hpp"
#include "dds/participant.hpp"
#include "dds/peers.hpp"
#include "dds/qos.hpp"
#include "dds/topic_names.hpp"

namespace spatial_dynamics::dds {

/// What readers and writers have to say beside data. Called on threads of the middleware, several
/// at a time; must not make or delete readers and writers.
struct Events {
  std::function<void(const QosMismatch&)> on_qos_mismatch;
  /// A callback threw, or reading failed: one sentence.
  std::function<void(const std::string& sentence)> on_error;
};

/// SPATIAL_DYNAMICS_GID_BYTES (16 or 24), else what ROS_DISTRO uses, else 16. With the wrong one
/// data flows, but the node is not in `ros2 node list`. Throws Error.
GidSize gid_size_from(const Environment& environment);

/// One participant with one node. Readers and writers share it, so that it goes last. Publishes
/// `ros_discovery_info` whenever one of them comes or goes, and again every kRepeatEvery for
/// kRepeatFor after its start and after each new reader of it: Fast DDS loses the first sample in
/// about one of ten starts. Thread-safe. Allocates; throws Error.
class Graph {
 public:
  static constexpr std::int64_t kRepeatEvery = 250'000'000;  ///< ns
  static constexpr std::int64_t kRepeatFor = 5'000'000'000;  ///< ns

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

  /// Calls `changed` on the graph's own thread when publishers of others or their names change, and
  /// once at the beginning. It may make and delete readers, and must not call the next two.
  void watch_peers(std::function<void()> changed);
  /// Waits for a call that runs; there is none afterwards.
  void stop_watching() noexcept;
  /// Null before the first watch_peers().
  [[nodiscard]] const Peers* peers() const noexcept { return peers_.load(); }

 private:
  static constexpr std::int64_t kNever = INT64_MAX;

  class Announcer;
  template <typename Info>
  class AnnouncerOf;

  void add(std::vector<dds_guid_t>& list, dds_entity_t endpoint);
  void remove(std::vector<dds_guid_t>& list, dds_entity_t endpoint) noexcept;
  void run() noexcept;
  void repeat_announcement() noexcept;
  void report_peers() noexcept;

  Participant participant_;
  NodeName node_;
  Events events_;
  std::mutex mutex_;
  std::vector<dds_guid_t> readers_;
  std::vector<dds_guid_t> writers_;
  std::unique_ptr<Announcer> announcer_;

  GidSize gid_size_;
  std::mutex watch_mutex_;  // of the next two; held while the watcher runs
  std::function<void()> watcher_;
  std::unique_ptr<Peers> owned_peers_;
  std::atomic<Peers*> peers_{nullptr};
  std::atomic<bool> watcher_is_new_{false};
  std::atomic<bool> stopping_{false};
  Entity waitset_, wake_;
  std::thread thread_;
};

}  // namespace spatial_dynamics::dds
