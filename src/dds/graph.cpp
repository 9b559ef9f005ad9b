#include "dds/graph.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "dds/error.hpp"
#include "dds/message.hpp"
#include "dds/type_hash.hpp"

namespace spatial_dynamics::dds {
namespace {

constexpr const char* kTopic = "ros_discovery_info";  // without "rt": it is no topic of users

dds_guid_t guid_of(dds_entity_t entity) {
  dds_guid_t guid{};
  checked(dds_get_guid(entity, &guid), "an endpoint has no identifier");
  return guid;
}

template <typename Gid>
void assign_gid(Gid& gid, const dds_guid_t& guid) {
  static_assert(sizeof(gid.data) >= sizeof(guid.v));
  gid = Gid{};
  std::memcpy(&gid.data, &guid.v, sizeof(guid.v));
}

template <typename GidSequence>
void assign_gids(GidSequence& sequence, const std::vector<dds_guid_t>& guids) {
  resize(sequence, guids.size());
  for (std::size_t i = 0; i < guids.size(); ++i) assign_gid(sequence._buffer[i], guids[i]);
}

/// The names have been checked to be shorter than the field.
template <std::size_t N>
// NOLINTNEXTLINE(modernize-avoid-c-arrays): that is what idlc makes of a bounded string
void assign_bounded(char (&field)[N], const std::string& value) {
  std::snprintf(&field[0], N, "%s", value.c_str());
}

}  // namespace

GidSize gid_size_from(const Environment& environment) {
  const std::string bytes = environment("SPATIAL_DYNAMICS_GID_BYTES");
  if (bytes == "16") return GidSize::k16;
  if (bytes == "24") return GidSize::k24;
  if (!bytes.empty()) {
    throw Error("SPATIAL_DYNAMICS_GID_BYTES is '" + bytes +
                "', and must be 16, or 24 for ROS 2 Humble and older.");
  }
  constexpr std::array<const char*, 3> kOldDistributions{"humble", "galactic", "foxy"};
  const std::string distribution = environment("ROS_DISTRO");
  const bool is_old = std::find(kOldDistributions.begin(), kOldDistributions.end(), distribution) !=
                      kOldDistributions.end();
  return is_old ? GidSize::k24 : GidSize::k16;
}

/// Publishes the list.
class Graph::Announcer {
 public:
  Announcer() = default;
  virtual ~Announcer() = default;
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;
  virtual dds_return_t announce(const Graph& graph) = 0;
};

template <typename Info>
class Graph::AnnouncerOf : public Graph::Announcer {
 public:
  explicit AnnouncerOf(const Participant& participant) {
    const std::string what = std::string("topic '") + kTopic + "' could not be published";
    const Entity topic(checked(
        dds_create_topic(participant.handle(), &descriptor<Info>(), kTopic, nullptr, nullptr),
        what));
    const QosHandle qos = make_qos(kDiscoveryInfoQos, EndpointKind::kWriter,
                                   type_hash(ros_type_name(descriptor<Info>().m_typename)));
    writer_ = Entity(
        checked(dds_create_writer(participant.handle(), topic.get(), qos.get(), nullptr), what));
  }

  dds_return_t announce(const Graph& graph) override {
    assign_gid(info_->gid, guid_of(graph.participant_.handle()));
    resize(info_->node_entities_info_seq, 1);
    auto& node = info_->node_entities_info_seq._buffer[0];
    assign_bounded(node.node_namespace, graph.node_.ns);
    assign_bounded(node.node_name, graph.node_.name);
    assign_gids(node.reader_gid_seq, graph.readers_);
    assign_gids(node.writer_gid_seq, graph.writers_);
    return dds_write(writer_.get(), &*info_);
  }

 private:
  Entity writer_;
  Message<Info> info_;
};

Graph::Graph(const DiscoveryOptions& options, const SecurityOptions& security, NodeName node,
             GidSize gid_size, Events events)
    : participant_(options, security), node_(std::move(node)), events_(std::move(events)) {
  if (gid_size == GidSize::k16) {
    announcer_ = std::make_unique<AnnouncerOf<ParticipantEntitiesInfo>>(participant_);
  } else {
    announcer_ = std::make_unique<AnnouncerOf<ParticipantEntitiesInfo24>>(participant_);
  }
  checked(announcer_->announce(*this), "the node could not be announced");
}

Graph::~Graph() = default;

void Graph::add_reader(dds_entity_t reader) { add(readers_, reader); }
void Graph::add_writer(dds_entity_t writer) { add(writers_, writer); }
void Graph::remove_reader(dds_entity_t reader) noexcept { remove(readers_, reader); }
void Graph::remove_writer(dds_entity_t writer) noexcept { remove(writers_, writer); }

void Graph::add(std::vector<dds_guid_t>& list, dds_entity_t endpoint) {
  const std::lock_guard lock(mutex_);
  list.push_back(guid_of(endpoint));
  checked(announcer_->announce(*this), "the node could not be announced");
}

void Graph::remove(std::vector<dds_guid_t>& list, dds_entity_t endpoint) noexcept {
  dds_guid_t guid{};
  if (dds_get_guid(endpoint, &guid) < 0) return;
  const std::lock_guard lock(mutex_);
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const dds_guid_t& listed) {
                              return std::memcmp(&listed.v, &guid.v, sizeof(guid.v)) == 0;
                            }),
             list.end());
  (void)announcer_->announce(*this);  // the endpoint goes anyway, and DDS itself tells that it went
}

}  // namespace spatial_dynamics::dds
