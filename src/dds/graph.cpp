#include "dds/graph.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "dds/error.hpp"
#include "dds/message.hpp"
#include "dds/type_hash.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::dds {
namespace {

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
  [[nodiscard]] virtual dds_entity_t writer() const noexcept = 0;
};

template <typename Info>
class Graph::AnnouncerOf : public Graph::Announcer {
 public:
  explicit AnnouncerOf(const Participant& participant) {
    const std::string what =
        std::string("topic '") + kDiscoveryInfoTopic + "' could not be published";
    const Entity topic(checked(dds_create_topic(participant.handle(), &descriptor<Info>(),
                                                kDiscoveryInfoTopic, nullptr, nullptr),
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
  [[nodiscard]] dds_entity_t writer() const noexcept override { return writer_.get(); }

 private:
  Entity writer_;
  Message<Info> info_;
};

Graph::Graph(const DiscoveryOptions& options, const SecurityOptions& security, NodeName node,
             GidSize gid_size, Events events)
    : participant_(options, security),
      node_(std::move(node)),
      events_(std::move(events)),
      gid_size_(gid_size) {
  if (gid_size == GidSize::k16) {
    announcer_ = std::make_unique<AnnouncerOf<ParticipantEntitiesInfo>>(participant_);
  } else {
    announcer_ = std::make_unique<AnnouncerOf<ParticipantEntitiesInfo24>>(participant_);
  }
  checked(announcer_->announce(*this), "the node could not be announced");
  const std::string what = "the node's graph could not be watched";
  const dds_entity_t participant = participant_.handle();
  waitset_ = Entity(checked(dds_create_waitset(participant), what));
  wake_ = Entity(checked(dds_create_guardcondition(participant), what));
  const dds_entity_t writer = announcer_->writer();
  checked(dds_set_status_mask(writer, DDS_PUBLICATION_MATCHED_STATUS), what);
  checked(dds_waitset_attach(waitset_.get(), writer, 0), what);
  checked(dds_waitset_attach(waitset_.get(), wake_.get(), 0), what);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error(what + ": " + error.code().message() + ".");
  }
}

Graph::~Graph() {
  stopping_.store(true);
  (void)dds_set_guardcondition(wake_.get(), true);
  thread_.join();
}

/// The graph's thread. It writes the messages that listeners must not write, because listeners run
/// on threads that the middleware needs for receiving.
void Graph::run() noexcept {
  std::int64_t next = steady_now_ns() + kRepeatEvery;
  std::int64_t last = steady_now_ns() + kRepeatFor;
  while (true) {
    const std::int64_t due = next <= last ? next : kNever;
    const dds_duration_t wait =
        due == kNever ? DDS_INFINITY : std::max<std::int64_t>(due - steady_now_ns(), 0);
    if (dds_waitset_wait(waitset_.get(), nullptr, 0, wait) < 0) return;
    (void)dds_set_guardcondition(wake_.get(), false);  // before the state that it announces is read
    if (stopping_.load()) return;
    dds_publication_matched_status_t readers{};
    (void)dds_get_publication_matched_status(announcer_->writer(), &readers);
    if (readers.total_count_change > 0) {
      next = steady_now_ns();
      last = next + kRepeatFor;
    }
    if (next <= last && steady_now_ns() >= next) {
      repeat_announcement();
      next = steady_now_ns() + kRepeatEvery;
    }
    report_peers();
  }
}

void Graph::repeat_announcement() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    (void)announcer_->announce(*this);  // if it fails: it is repeated, or the participant ends
  } catch (...) {                       // NOLINT(bugprone-empty-catch): as above
  }
}

void Graph::report_peers() noexcept {
  Peers* const peers = peers_.load();
  if (peers == nullptr) return;
  try {
    const bool changed = peers->update();
    if (!watcher_is_new_.exchange(false) && !changed) return;
    const std::lock_guard lock(watch_mutex_);
    if (watcher_) watcher_();
  } catch (const std::exception& error) {
    if (events_.on_error) events_.on_error(std::string("the graph's watch: ") + error.what());
  }
}

void Graph::watch_peers(std::function<void()> changed) {
  const std::lock_guard lock(watch_mutex_);
  watcher_ = std::move(changed);
  if (!owned_peers_) {
    owned_peers_ = std::make_unique<Peers>(participant_, gid_size_);
    peers_.store(owned_peers_.get());
    owned_peers_->attach_to(waitset_.get());
  }
  watcher_is_new_.store(true);
  checked(dds_set_guardcondition(wake_.get(), true), "the node's graph could not be watched");
}

void Graph::stop_watching() noexcept {
  const std::lock_guard lock(watch_mutex_);
  watcher_ = nullptr;
}

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
  (void)announcer_->announce(*this);  // DDS itself announces the end of the endpoint
}

}  // namespace spatial_dynamics::dds
