// The publishers of other participants, as a node sees them.
#include "dds/peers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "dds_test.hpp"

namespace spatial_dynamics::dds {
namespace {

using test::environment_of;
using test::eventually;
using test::local_node;
using test::local_variables;

NodeOptions humble_node(const std::string& name) {
  NodeOptions options = local_node(name);
  auto variables = local_variables();
  variables["ROS_DISTRO"] = "humble";
  options.environment = environment_of(variables);
  return options;
}

void expect_names(const NodeOptions& ours, const NodeOptions& theirs) {
  Node watcher(ours);
  std::atomic<std::uint64_t> source{0};
  const auto reader = watcher.subscribe<String>(
      "x", kCommandQos, [&](const String&, const SampleInfo& info) { source = info.publisher; });
  auto own = watcher.advertise<String>("x", kOutputQos);
  watcher.watch_peers([] {});
  EXPECT_EQ(watcher.publisher_name(1), "");

  Node other(theirs);
  auto writer = std::make_optional(other.advertise<String>("/x", kOutputQos));
  EXPECT_TRUE(eventually([&] {
    const auto peers = watcher.publishers_of("/x");
    return peers.size() == 1 && peers[0].node == "/left/arm" && !peers[0].publishes_metrics &&
           peers[0].gid == writer->gid();
  }));
  EXPECT_TRUE(watcher.publishers_of("/y").empty());
  // The source of a message has the same name.
  EXPECT_TRUE(eventually([&] {
    (void)writer->write(*Message<String>());
    return watcher.publisher_name(source) == "/left/arm";
  }));
  writer.reset();
  EXPECT_TRUE(eventually([&] { return watcher.publishers_of("/x").empty(); }));
  EXPECT_EQ(watcher.publisher_name(source), "");
  watcher.stop_watching();
}

TEST(Peers, PublishersAreNamedWhileTheyExist) {
  NodeOptions other = local_node("arm");
  other.ns = "/left";
  expect_names(local_node("watcher"), other);
}

TEST(Peers, PublishersAreNamedInAHumbleGraphToo) {
  NodeOptions other = humble_node("arm");
  other.ns = "/left";
  expect_names(humble_node("watcher"), other);
}

/// Writes lists of nodes that are not its own.
class Forger {
 public:
  explicit Forger(const Environment& environment)
      : participant_(discovery_options_from(environment)) {
    const Entity topic(dds_create_topic(participant_.handle(),
                                        &descriptor<ParticipantEntitiesInfo>(), kDiscoveryInfoTopic,
                                        nullptr, nullptr));
    const QosHandle qos = make_qos(kDiscoveryInfoQos, EndpointKind::kWriter, {});
    writer_ = Entity(dds_create_writer(participant_.handle(), topic.get(), qos.get(), nullptr));
  }
  /// A list with this writer and others, all of the node `name`.
  void claim(const Gid& writer, const char* name, std::size_t count) const {
    Message<ParticipantEntitiesInfo> list;
    std::memcpy(&list->gid.data, writer.data(), 12);
    resize(list->node_entities_info_seq, 1);
    auto& node = list->node_entities_info_seq._buffer[0];
    std::snprintf(&node.node_name[0], sizeof node.node_name, "%s", name);
    resize(node.writer_gid_seq, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::memcpy(&node.writer_gid_seq._buffer[i].data, writer.data(), writer.size());
      if (i > 0) std::memcpy(&node.writer_gid_seq._buffer[i].data, &i, sizeof i);
    }
    EXPECT_EQ(dds_write(writer_.get(), &*list), DDS_RETCODE_OK);
  }

 private:
  Participant participant_;
  Entity writer_;
};

TEST(Peers, ListsOfTooManyWritersAreIgnored) {
  Node watcher(local_node("watcher")), other(local_node("other"));
  const auto writer = other.advertise<String>("x", kOutputQos);
  std::atomic<bool> large{false}, small{false};
  watcher.watch_peers([&] {
    for (const PeerPublisher& peer : watcher.publishers_of("/x")) {
      if (peer.node == "/large") large = true;
      if (peer.node == "/small") small = true;
    }
  });
  const Forger forger(environment_of(local_variables()));
  EXPECT_TRUE(eventually([&] {
    forger.claim(writer.gid(), "small", 100);
    return small.load();
  }));
  for (int i = 0; i < 3; ++i) {
    forger.claim(writer.gid(), "large", 120'000);
    EXPECT_FALSE(eventually([&] { return large.load(); }, std::chrono::milliseconds(200)));
  }
  watcher.stop_watching();
}

TEST(Peers, AParticipantWithMetricsIsRecognised) {
  Node watcher(local_node("watcher")), other(local_node("other"));
  watcher.watch_peers([] {});
  const auto writer = other.advertise<String>("x", kOutputQos);
  const auto metrics = other.advertise<MetricsMessage>("~/statistics", kDefaultQos);
  EXPECT_TRUE(eventually([&] {
    const auto peers = watcher.publishers_of("/x");
    return peers.size() == 1 && peers[0].publishes_metrics;
  }));
  watcher.stop_watching();
}

TEST(Peers, TheWatcherMayMakeAndDeleteReaders) {
  Node watcher(local_node("watcher"));
  std::optional<Reader<String>> reader;
  std::atomic<int> received{0}, present{0};
  watcher.watch_peers([&] {
    present = static_cast<int>(watcher.publishers_of("/x").size());
    if (present == 0) {
      reader.reset();
    } else if (!reader) {
      reader.emplace(
          watcher.subscribe<String>("x", kCommandQos, [&](const String&) { ++received; }));
    }
  });
  Node other(local_node("other"));
  for (int i = 0; i < 3; ++i) {
    const int before = received;
    {
      auto writer = other.advertise<String>("x", kOutputQos);
      EXPECT_TRUE(eventually([&] {
        (void)writer.write(*Message<String>());
        return received > before;
      }));
    }
    EXPECT_TRUE(eventually([&] { return present == 0; }));
  }
  watcher.stop_watching();
}

TEST(Peers, ReaderIgnoringItsParticipantReceivesOthers) {
  Node node(local_node("node")), other(local_node("other"));
  Qos qos = kCommandQos;
  qos.ignore_own = true;
  std::atomic<int> received{0};
  const auto reader = node.subscribe<String>("x", qos, [&](const String&) { ++received; });
  auto own = node.advertise<String>("x", kOutputQos);
  auto foreign = other.advertise<String>("x", kOutputQos);
  EXPECT_TRUE(own.write(*Message<String>()));
  EXPECT_EQ(received, 0);
  EXPECT_TRUE(eventually([&] { return foreign.matched() == 1; }));
  EXPECT_TRUE(foreign.write(*Message<String>()));
  EXPECT_TRUE(eventually([&] { return received == 1; }));
}

}  // namespace
}  // namespace spatial_dynamics::dds
