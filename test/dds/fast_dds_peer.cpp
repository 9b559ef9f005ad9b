// A peer on another vendor's DDS: eProsima's Fast DDS with a hand-written type. It shares no code
// with the project, neither IDL nor names.
//
// Receives joint states on /to_peer, prints the decoded numbers, and answers each on /from_peer
// with the names in reverse order and all numbers doubled. Also prints the user data and node lists
// of the node. Ends on SIGTERM.
#include <fastcdr/Cdr.h>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

#include <pthread.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fdds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;

void say(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << line << std::endl;
}

struct JointState {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  std::string frame_id;
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};
void write(Cdr& cdr, const JointState& state) {
  cdr << state.sec << state.nanosec << state.frame_id << state.name << state.position
      << state.velocity << state.effort;
}
void read(Cdr& cdr, JointState& state) {
  cdr >> state.sec >> state.nanosec >> state.frame_id >> state.name >> state.position >>
      state.velocity >> state.effort;
}
constexpr const char* type_name(const JointState*) { return "sensor_msgs::msg::dds_::JointState_"; }

using Gid = std::array<std::uint8_t, 16>;
struct NodeEntities {
  std::string ns, name;
  std::vector<Gid> readers, writers;
};
struct NodeList {
  Gid gid{};
  std::vector<NodeEntities> nodes;
};
void read(Cdr& cdr, std::vector<Gid>& gids) {
  std::uint32_t count = 0;
  cdr >> count;
  gids.resize(count);
  for (Gid& gid : gids) cdr >> gid;
}
void read(Cdr& cdr, NodeList& list) {
  std::uint32_t count = 0;
  cdr >> list.gid >> count;
  list.nodes.resize(count);
  for (NodeEntities& node : list.nodes) {
    cdr >> node.ns >> node.name;
    read(cdr, node.readers);
    read(cdr, node.writers);
  }
}
void write(Cdr& /*cdr*/, const NodeList& /*list*/) {}  // only read here
constexpr const char* type_name(const NodeList*) {
  return "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
}

// Fast CDR 2, which ROS 2 has since Jazzy, has other names; Debian has version 1.
#if FASTCDR_VERSION_MAJOR >= 2
constexpr auto kCdrKind = eprosima::fastcdr::CdrVersion::XCDRv1;
std::size_t length_of(const Cdr& cdr) { return cdr.get_serialized_data_length(); }
#else
constexpr auto kCdrKind = Cdr::DDS_CDR;
std::size_t length_of(const Cdr& cdr) { return cdr.getSerializedDataLength(); }
#endif

/// The description of a type for Fast DDS.
template <typename T>
class TypeOf : public fdds::TopicDataType {
 public:
  TypeOf() {
    setName(type_name(static_cast<const T*>(nullptr)));
    m_typeSize = kLargest;
    m_isGetKeyDefined = false;
  }
  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->max_size);
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, kCdrKind);
    payload->encapsulation = CDR_LE;
    cdr.serialize_encapsulation();
    write(cdr, *static_cast<const T*>(data));
    payload->length = static_cast<std::uint32_t>(length_of(cdr));
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->length);
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, kCdrKind);
    cdr.read_encapsulation();
    read(cdr, *static_cast<T*>(data));
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* /*data*/) override {
    return [] { return kLargest; };
  }
  void* createData() override { return new T; }
  void deleteData(void* data) override { delete static_cast<T*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }

 private:
  static constexpr std::uint32_t kLargest = 65536;
};

template <typename Range>
std::string list_of(const Range& values) {
  std::ostringstream text;
  for (const auto& value : values) text << ' ' << value;
  return text.str();
}

/// Answers joint states.
class Answerer : public fdds::DataReaderListener {
 public:
  explicit Answerer(fdds::DataWriter& writer) : writer_(writer) {}
  void on_data_available(fdds::DataReader* reader) override {
    JointState state;
    fdds::SampleInfo info;
    while (reader->take_next_sample(&state, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      say("heard " + std::to_string(state.sec) + ' ' + std::to_string(state.nanosec) + ' ' +
          state.frame_id + " names" + list_of(state.name) + " positions" + list_of(state.position) +
          " velocities" + list_of(state.velocity) + " efforts" + list_of(state.effort));
      std::reverse(state.name.begin(), state.name.end());
      for (auto* values : {&state.position, &state.velocity, &state.effort}) {
        for (double& value : *values) value *= 2.0;
      }
      writer_.write(&state);
    }
  }

 private:
  fdds::DataWriter& writer_;
};

/// With PEER_LOSES_LISTS_MS, it discards all node lists for this time after the first, like a start
/// that loses them.
class NodeWatcher : public fdds::DataReaderListener {
 public:
  NodeWatcher() {
    const char* const loses = std::getenv("PEER_LOSES_LISTS_MS");
    if (loses != nullptr) loses_for_ = std::chrono::milliseconds(std::stoi(loses));
  }
  void on_data_available(fdds::DataReader* reader) override {
    NodeList list;
    fdds::SampleInfo info;
    while (reader->take_next_sample(&list, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      const auto now = std::chrono::steady_clock::now();
      if (!first_) first_ = now;
      if (now - *first_ < loses_for_) continue;
      for (const NodeEntities& node : list.nodes) {
        say("node " + node.ns + ' ' + node.name + ' ' + std::to_string(node.readers.size()) + ' ' +
            std::to_string(node.writers.size()));
      }
    }
  }

 private:
  std::chrono::milliseconds loses_for_{0};
  std::optional<std::chrono::steady_clock::time_point> first_;
};

/// Reports torques, and their absence when the middleware detects it.
class TorqueWatcher : public fdds::DataReaderListener {
 public:
  void on_data_available(fdds::DataReader* reader) override {
    JointState state;
    fdds::SampleInfo info;
    while (reader->take_next_sample(&state, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data && ++torques_ % 100 == 0) say("torques " + std::to_string(torques_));
    }
  }
  void on_requested_deadline_missed(fdds::DataReader*,
                                    const fdds::RequestedDeadlineMissedStatus&) override {
    say("deadline missed");
  }
  void on_liveliness_changed(fdds::DataReader*,
                             const fdds::LivelinessChangedStatus& status) override {
    if (status.not_alive_count_change > 0) say("liveliness lost");
  }

 private:
  int torques_ = 0;
};

/// Prints the announcements of other participants.
class DiscoveryWatcher : public fdds::DomainParticipantListener {
 public:
  void on_participant_discovery(fdds::DomainParticipant* /*participant*/,
                                rtps::ParticipantDiscoveryInfo&& info) override {
    if (info.status == rtps::ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT) {
      say("participant " + text_of(info.info.m_userData));
    }
  }
  void on_publisher_discovery(fdds::DomainParticipant* /*participant*/,
                              rtps::WriterDiscoveryInfo&& info) override {
    if (info.status == rtps::WriterDiscoveryInfo::DISCOVERED_WRITER) {
      say("publisher " + info.info.topicName().to_string() + ' ' +
          text_of(info.info.m_qos.m_userData));
    }
  }

 private:
  template <typename UserData>
  static std::string text_of(const UserData& data) {
    return {data.begin(), data.end()};
  }
};

/// This host only, by UDP, without multicast, like ROS 2's range LOCALHOST.
fdds::DomainParticipantQos participant_qos(std::uint32_t domain) {
  fdds::DomainParticipantQos qos;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(
      std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>());
  auto& builtin = qos.wire_protocol().builtin;
  rtps::Locator_t any;
  builtin.metatrafficUnicastLocatorList.push_back(any);  // given, so that no multicast one is added
  for (std::uint32_t participant = 0; participant < 8; ++participant) {
    rtps::Locator_t peer;
    rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
    peer.port = 7410 + 250 * domain + 2 * participant;
    builtin.initialPeersList.push_back(peer);
  }
  return qos;
}

fdds::DataReaderQos reliable_reader() {
  fdds::DataReaderQos qos;
  qos.reliability().kind = fdds::RELIABLE_RELIABILITY_QOS;
  return qos;
}

/// With PEER_REQUESTS_MS, reads torques and requests DEADLINE and LIVELINESS with this period.
void watch_torques(fdds::DomainParticipant& participant, fdds::Subscriber& subscriber,
                   const fdds::TypeSupport& type, TorqueWatcher& watcher) {
  const char* const variable = std::getenv("PEER_REQUESTS_MS");
  if (variable == nullptr) return;
  const eprosima::fastrtps::Duration_t time(std::stod(variable) * 1e-3);
  fdds::DataReaderQos qos = reliable_reader();
  qos.deadline().period = time;
  qos.liveliness().kind = fdds::AUTOMATIC_LIVELINESS_QOS;
  qos.liveliness().lease_duration = time;
  auto* topic =
      participant.create_topic("rt/dynamics/torque", type.get_type_name(), fdds::TOPIC_QOS_DEFAULT);
  subscriber.create_datareader(topic, qos, &watcher);
}

int run() {
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const char* variable = std::getenv("ROS_DOMAIN_ID");
  const auto domain = static_cast<std::uint32_t>(std::stoul(variable == nullptr ? "0" : variable));
  DiscoveryWatcher discovery;
  auto* factory = fdds::DomainParticipantFactory::get_instance();
  auto* participant = factory->create_participant(domain, participant_qos(domain), &discovery,
                                                  fdds::StatusMask::none());
  if (participant == nullptr) return 1;
  const fdds::TypeSupport state_type(new TypeOf<JointState>);
  const fdds::TypeSupport list_type(new TypeOf<NodeList>);
  state_type.register_type(participant);
  list_type.register_type(participant);
  auto* publisher = participant->create_publisher(fdds::PUBLISHER_QOS_DEFAULT);
  auto* subscriber = participant->create_subscriber(fdds::SUBSCRIBER_QOS_DEFAULT);
  auto* out = participant->create_topic("rt/from_peer", state_type.get_type_name(),
                                        fdds::TOPIC_QOS_DEFAULT);
  auto* in =
      participant->create_topic("rt/to_peer", state_type.get_type_name(), fdds::TOPIC_QOS_DEFAULT);
  auto* nodes = participant->create_topic("ros_discovery_info", list_type.get_type_name(),
                                          fdds::TOPIC_QOS_DEFAULT);
  fdds::DataWriterQos writer_qos;
  writer_qos.endpoint().history_memory_policy =
      eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  Answerer answerer(*publisher->create_datawriter(out, writer_qos));
  NodeWatcher node_watcher;
  fdds::DataReaderQos list_qos = reliable_reader();
  list_qos.durability().kind = fdds::TRANSIENT_LOCAL_DURABILITY_QOS;
  subscriber->create_datareader(in, reliable_reader(), &answerer);
  subscriber->create_datareader(nodes, list_qos, &node_watcher);
  TorqueWatcher torque_watcher;
  watch_torques(*participant, *subscriber, state_type, torque_watcher);
  say("ready");
  int signal = 0;
  sigwait(&signals, &signal);
  participant->delete_contained_entities();
  factory->delete_participant(participant);
  return 0;
}

}  // namespace

/// Fast DDS 2.9 itself deletes readers by a wrong type; AddressSanitizer reports all other errors.
extern "C" const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }

int main(int argc, char** argv) {
  if (argc == 1) return run();
  std::cout << "Usage: " << argv[0]
            << "\nAnswers each joint state on /to_peer with one on /from_peer, in the domain "
               "ROS_DOMAIN_ID, until SIGTERM.\n";
  return std::string_view(argv[1]) == "--help" ? 0 : 2;
}
