// The publishers of other participants in the domain, with their topics and ROS 2 nodes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/entity.hpp"
#include "dds/participant.hpp"

namespace spatial_dynamics::dds {

/// Size of an endpoint's identifier in ROS 2's discovery messages.
enum class GidSize {
  k16 = 16,  ///< from Iron on
  k24 = 24,  ///< up to Humble
};

/// An endpoint's identifier; the first twelve bytes are those of its participant.
using Gid = std::array<std::uint8_t, 16>;
Gid to_gid(const dds_guid_t& guid) noexcept;

/// A publisher of another participant.
struct PeerPublisher {
  std::uint64_t source = 0;  ///< SampleInfo::publisher of its messages
  Gid gid{};
  std::string node;                ///< full name; empty until its process announces it
  bool publishes_metrics = false;  ///< its participant publishes statistics_msgs/MetricsMessage
  std::string type;                ///< of its messages, as dds_topic_descriptor_t::m_typename
};

/// Keeps the results of discovery. update() is called by one thread, the other functions by any
/// thread. Allocates.
class Peers {
 public:
  /// Throws Error. If permissions deny `ros_discovery_info`, node names stay unknown.
  Peers(const Participant& participant, GidSize gid_size);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  /// Makes the waitset wake up when update() has something to do. Throws Error.
  void attach_to(dds_entity_t waitset) const;
  /// Reads the reports since the last call. Returns true if a publisher or a name has changed.
  bool update();

  /// Publishers of a topic (full name), without those of this participant.
  [[nodiscard]] std::vector<PeerPublisher> publishers_of(std::string_view topic) const;
  /// Full name of the node behind SampleInfo::publisher; empty if it is not known.
  [[nodiscard]] std::string node_of(std::uint64_t source) const;
  /// Full names of the nodes in other participants that publish a topic.
  [[nodiscard]] std::vector<std::string> nodes() const;

 private:
  using Prefix = std::array<std::uint8_t, 12>;
  struct Publication {
    Gid gid{};
    Prefix participant{};
    std::string topic;  // on the wire
    std::string type;   // on the wire
  };
  using Names = std::map<Gid, std::string>;  // writer: node
  using TakeLists = bool (*)(dds_entity_t reader, std::map<Prefix, Names>& names);

  [[nodiscard]] static bool has_room(const std::map<Prefix, Names>& names,
                                     const Prefix& participant, std::size_t writers);
  template <typename Info>
  static bool take_lists(dds_entity_t reader, std::map<Prefix, Names>& names);
  template <typename Info>
  void open_lists(const Participant& participant);
  bool take_publications();
  void remove(std::uint64_t source);
  [[nodiscard]] std::string name_of(const Publication& publication) const;
  [[nodiscard]] bool is_our_statistics(const Publication& publication) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Publication> publications_;  // by instance handle
  std::map<Prefix, Names> names_;                      // per participant, as it announced them
  Prefix ours_{};
  TakeLists take_lists_ = nullptr;
  Entity publication_reader_, list_reader_;
  Entity publication_condition_, list_condition_;
};

}  // namespace spatial_dynamics::dds
