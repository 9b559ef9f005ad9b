// A ROS 2 node in the graph: announces the node of this participant with its readers and writers.
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

/// Events of readers and writers other than data. Called on threads of the middleware, possibly
/// several at the same time; must not create or delete readers and writers.
struct Events {
  std::function<void(const QosMismatch&)> on_qos_mismatch;
  /// A callback threw, or reading failed: one sentence.
  std::function<void(const std::string& sentence)> on_error;
};

/// The value of SPATIAL_DYNAMICS_GID_BYTES (16 or 24), otherwise the size that ROS_DISTRO uses,
/// otherwise 16. With the wrong size, messages arrive, but the node is missing in `ros2 node list`.
/// Throws Error.
GidSize gid_size_from(const Environment& environment);

/// One participant with one node. The node, readers and writers share it, so it is destroyed last.
/// Publishes `ros_discovery_info` whenever a reader or writer is added or removed, and repeats it
/// every kRepeatEvery for kRepeatFor, after its start and after each new subscriber of
/// `ros_discovery_info`: Fast DDS loses the first sample in about one of ten starts. Thread-safe.
/// Allocates; throws Error.
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

  /// Calls `changed` on the graph's own thread once at the beginning, and whenever publishers of
  /// other participants or their names change. `changed` may create and delete readers, but must
  /// not call watch_peers() or stop_watching().
  void watch_peers(std::function<void()> changed);
  /// Waits for a call of `changed` in progress; there is none afterwards.
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
  std::mutex watch_mutex_;  // protects the next two; held while the watcher runs
  std::function<void()> watcher_;
  std::unique_ptr<Peers> owned_peers_;
  std::atomic<Peers*> peers_{nullptr};
  std::atomic<bool> watcher_is_new_{false};
  std::atomic<bool> stopping_{false};
  Entity waitset_, wake_;
  std::thread thread_;
};

}  // namespace spatial_dynamics::dds
