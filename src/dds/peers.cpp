#include "dds/peers.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "dds/error.hpp"
#include "dds/message.hpp"
#include "dds/qos.hpp"
#include "dds/topic_names.hpp"

namespace spatial_dynamics::dds {
namespace {

// Bounds of the memory for names.
constexpr std::size_t kMostParticipants = 1000;
constexpr std::size_t kMostWriters = 100'000;  // of all participants
constexpr std::uint32_t kAtOnce = 32;          // samples per call of the middleware

template <std::size_t N>
std::array<std::uint8_t, N> first_bytes(const void* bytes) noexcept {
  std::array<std::uint8_t, N> result{};
  std::memcpy(result.data(), bytes, N);
  return result;
}

std::string full_name(const char* ns, const char* name) {
  const std::string prefix = ns;
  return (prefix == "/" || prefix.empty() ? "/" : prefix + '/') + name;
}

Entity any_sample_condition(const Entity& reader) {
  return Entity(checked(dds_create_readcondition(reader.get(), DDS_ANY_STATE),
                        "the middleware has no condition for a reader"));
}

}  // namespace

Gid to_gid(const dds_guid_t& guid) noexcept { return first_bytes<16>(&guid.v); }

Peers::Peers(const Participant& participant, GidSize gid_size) {
  dds_guid_t guid{};
  checked(dds_get_guid(participant.handle(), &guid), "the participant has no identifier");
  ours_ = first_bytes<12>(&guid.v);
  publication_reader_ = Entity(checked(
      dds_create_reader(participant.handle(), DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr),
      "the publishers of the domain can't be listed"));
  publication_condition_ = any_sample_condition(publication_reader_);
  if (gid_size == GidSize::k16) {
    open_lists<ParticipantEntitiesInfo>(participant);
  } else {
    open_lists<ParticipantEntitiesInfo24>(participant);
  }
}

Peers::~Peers() = default;

template <typename Info>
void Peers::open_lists(const Participant& participant) {
  const Entity topic(dds_create_topic(participant.handle(), &descriptor<Info>(),
                                      kDiscoveryInfoTopic, nullptr, nullptr));
  if (topic.get() < 0) return;
  Qos others = kDiscoveryInfoQos;
  others.ignore_own = true;
  const QosHandle qos = make_qos(others, EndpointKind::kReader, {});
  list_reader_ = Entity(dds_create_reader(participant.handle(), topic.get(), qos.get(), nullptr));
  if (list_reader_.get() < 0) return;
  list_condition_ = any_sample_condition(list_reader_);
  take_lists_ = &Peers::take_lists<Info>;
}

void Peers::attach_to(dds_entity_t waitset) const {
  for (const Entity* const condition : {&publication_condition_, &list_condition_}) {
    if (condition->get() <= 0) continue;
    checked(dds_waitset_attach(waitset, condition->get(), 0), "publishers can't be waited for");
  }
}

bool Peers::update() {
  const std::lock_guard lock(mutex_);
  bool changed = take_publications();
  if (take_lists_ != nullptr) changed = take_lists_(list_reader_.get(), names_) || changed;
  return changed;
}

bool Peers::take_publications() {
  bool changed = false;
  std::array<void*, kAtOnce> samples{};  // null: the middleware lends its memory
  std::array<dds_sample_info_t, kAtOnce> infos{};
  dds_return_t taken = 0;
  while ((taken = dds_take(publication_reader_.get(), samples.data(), infos.data(), kAtOnce,
                           kAtOnce)) > 0) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(taken); ++i) {
      const dds_sample_info_t& info = infos.at(i);
      changed = true;
      if (info.instance_state != DDS_IST_ALIVE || !info.valid_data) {
        remove(info.instance_handle);
        continue;
      }
      const auto& sample = *static_cast<const dds_builtintopic_endpoint_t*>(samples.at(i));
      const auto participant = first_bytes<12>(&sample.participant_key.v);
      if (participant == ours_) continue;
      publications_[info.instance_handle] = {to_gid(sample.key), participant, sample.topic_name,
                                             sample.type_name};
    }
    (void)dds_return_loan(publication_reader_.get(), samples.data(), taken);
    samples.fill(nullptr);
  }
  return changed;
}

void Peers::remove(std::uint64_t source) {
  const auto found = publications_.find(source);
  if (found == publications_.end()) return;
  const Prefix participant = found->second.participant;
  publications_.erase(found);
  const bool present =
      std::any_of(publications_.begin(), publications_.end(),
                  [&](const auto& entry) { return entry.second.participant == participant; });
  if (!present) names_.erase(participant);
}

/// Whether the bound of the memory permits a list of this many writers for a participant.
bool Peers::has_room(const std::map<Prefix, Names>& names, const Prefix& participant,
                     std::size_t writers) {
  if (names.size() >= kMostParticipants && names.count(participant) == 0) return false;
  for (const auto& [other, theirs] : names) writers += other == participant ? 0 : theirs.size();
  return writers <= kMostWriters;
}

template <typename Info>
bool Peers::take_lists(dds_entity_t reader, std::map<Prefix, Names>& names) {
  bool changed = false;
  Message<Info> list;
  void* sample = &*list;
  dds_sample_info_t info{};
  while (dds_take(reader, &sample, &info, 1, 1) > 0) {
    if (!info.valid_data) continue;
    const auto participant = first_bytes<12>(&list->gid.data);
    std::size_t writers = 0;
    for (const auto& node : view(list->node_entities_info_seq)) {
      writers += node.writer_gid_seq._length;
    }
    if (!has_room(names, participant, writers)) continue;
    Names announced;
    for (const auto& node : view(list->node_entities_info_seq)) {
      for (const auto& writer : view(node.writer_gid_seq)) {
        announced[first_bytes<16>(&writer.data)] = full_name(node.node_namespace, node.node_name);
      }
    }
    changed = changed || names[participant] != announced;
    names[participant] = std::move(announced);
  }
  return changed;
}

std::string Peers::name_of(const Publication& publication) const {
  const auto announced = names_.find(publication.participant);
  if (announced == names_.end()) return {};
  const auto found = announced->second.find(publication.gid);
  return found == announced->second.end() ? std::string() : found->second;
}

/// Whether it is the topic ~/statistics of a spatial_dynamics node. If the node's name is not
/// known, the type of the topic is sufficient.
bool Peers::is_our_statistics(const Publication& publication) const {
  if (publication.type != descriptor<MetricsMessage>().m_typename) return false;
  const std::string node = name_of(publication);
  return node.empty() || publication.topic == dds_topic_name(node + "/statistics");
}

std::vector<PeerPublisher> Peers::publishers_of(std::string_view topic) const {
  const std::string on_wire = dds_topic_name(topic);
  const std::lock_guard lock(mutex_);
  std::vector<PeerPublisher> result;
  for (const auto& [source, publication] : publications_) {
    if (publication.topic != on_wire) continue;
    const bool metrics = std::any_of(
        publications_.begin(), publications_.end(), [&p = publication, this](const auto& entry) {
          const Publication& other = entry.second;
          return other.participant == p.participant && is_our_statistics(other);
        });
    result.push_back({source, publication.gid, name_of(publication), metrics, publication.type});
  }
  return result;
}

std::string Peers::node_of(std::uint64_t source) const {
  const std::lock_guard lock(mutex_);
  const auto found = publications_.find(source);
  return found == publications_.end() ? std::string() : name_of(found->second);
}

std::vector<std::string> Peers::nodes() const {
  const std::lock_guard lock(mutex_);
  std::set<std::pair<Prefix, std::string>> nodes;  // a node that has ended has no publications
  for (const auto& [source, publication] : publications_) {
    const std::string node = name_of(publication);
    if (!node.empty()) nodes.emplace(publication.participant, node);
  }
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const auto& [participant, node] : nodes) names.push_back(node);
  return names;
}

}  // namespace spatial_dynamics::dds
