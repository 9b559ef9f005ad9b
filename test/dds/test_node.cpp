// Nodes of one process: messages between them, their start and their end.
#include "dds/node.hpp"

#include <gtest/gtest.h>
#include <malloc.h>  // mallinfo2

#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "dds_test.hpp"
#include "support/malloc_hook.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::dds {
namespace {

using test::environment_of;
using test::error_of;
using test::eventually;
using test::local_node;
using test::local_variables;

void fill(Message<JointState>& message, double position) {
  assign(message->name, std::vector<std::string>{"shoulder", "elbow"});
  assign(message->position, std::vector<double>{position, position + 1.0});
}

TEST(Node, PublisherAndSubscriberMeetAndValuesArrive) {
  Node sender(local_node("sender"));
  Node receiver(local_node("receiver"));
  std::atomic<double> sum{0.0};
  std::atomic<bool> names_arrived{false};
  std::atomic<std::uint64_t> publisher{0};
  std::atomic<std::int64_t> written{0};
  auto writer = sender.advertise<JointState>("joint_states", kOutputQos);
  const auto reader = receiver.subscribe<JointState>(
      "/joint_states", kStreamQos, [&](const JointState& state, const SampleInfo& info) {
        names_arrived = view(state.name).size() == 2 && view(state.name)[1] == "elbow";
        publisher = info.publisher;
        written = info.source_time;
        sum = view(state.position)[0] + view(state.position)[1];
      });
  EXPECT_EQ(reader.topic(), "/joint_states");
  EXPECT_TRUE(eventually([&] { return writer.matched() == 1 && reader.matched() == 1; }));
  Message<JointState> message;
  fill(message, 2.0);
  const std::int64_t before = dds_time();
  EXPECT_TRUE(writer.write(*message));
  EXPECT_TRUE(eventually([&] { return sum == 5.0; }));
  EXPECT_TRUE(names_arrived);
  EXPECT_NE(publisher, 0U);
  EXPECT_GE(written, before);
}

TEST(Node, SteadyCallbacksDoNotAllocate) {
  Node node(local_node("steady"));
  std::atomic<int> received{0};
  std::size_t in_callbacks = 0;
  Message<JointState> copy;
  auto writer = node.advertise<JointState>("a", kOutputQos);
  const auto reader = node.subscribe<JointState>("a", kStreamQos, [&](const JointState& state) {
    const test::HeapWatch heap;  // the callback runs on the writer's thread here
    assign(copy->name, view(state.name));
    assign(copy->position, view(state.position));
    if (++received > 1) in_callbacks += heap.count();
  });
  Message<JointState> message;
  for (int i = 0; i < 100; ++i) {
    fill(message, i);
    ASSERT_TRUE(writer.write(*message));
  }
  EXPECT_EQ(received, 100);
  EXPECT_EQ(in_callbacks, 0U);
  EXPECT_EQ(view(copy->position)[1], 100.0);
}

/// Bytes of the heap in use.
std::size_t heap_in_use() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(Node, MemoryOfALargeMessageIsReleasedAfterItsDelivery) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer has a heap of its own";
  Node node(local_node("large"));
  std::size_t received = 0;
  auto writer = node.advertise<JointState>("a", kOutputQos);
  const auto reader = node.subscribe<JointState>(
      "a", kStreamQos, [&](const JointState& m) { received = text(m.header.frame_id).size(); });
  ASSERT_TRUE(writer.write(*Message<JointState>()));
  const std::size_t before = heap_in_use();
  constexpr std::size_t kLarge = 6'000'000;
  {
    Message<JointState> message;
    assign(message->header.frame_id, std::string(kLarge, 'x'));
    ASSERT_TRUE(writer.write(*message));
    EXPECT_EQ(received, kLarge);
    message.clear();
    ASSERT_TRUE(writer.write(*message));  // the writer frees the large one
  }
  EXPECT_EQ(received, 0u);
  EXPECT_LT(heap_in_use(), before + kLarge / 2);
}

TEST(Node, TooLargeMessageIsDroppedAndReported) {
  NodeOptions options = local_node("large");
  std::string sentence;
  int sentences = 0;
  options.events.on_error = [&](const std::string& line) {
    sentence = line;
    ++sentences;
  };
  Node node(options);
  int received = 0;
  auto writer = node.advertise<WrenchStamped>("a", kOutputQos);
  const auto reader =
      node.subscribe<WrenchStamped>("a", kCommandQos, [&](const WrenchStamped&) { ++received; });
  Message<WrenchStamped> message;
  assign(message->header.frame_id, std::string(largest_message<WrenchStamped>(), 'x'));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(writer.write(*message));
  EXPECT_EQ(received, 0);
  EXPECT_EQ(sentence.find("topic '/a': a message was dropped unread: it has 10486"), 0u)
      << sentence;
  EXPECT_EQ(sentences, LineLimiter::kAtOnce);
  assign(message->header.frame_id, "tool");
  ASSERT_TRUE(writer.write(*message));
  EXPECT_EQ(received, 1);
}

TEST(Node, LateSubscriberReceivesOnlyDescription) {
  Node sender(local_node("sender"));
  auto description = sender.advertise<String>("robot_description", kDescriptionQos);
  auto output = sender.advertise<String>("output", kOutputQos);
  Message<String> message;
  assign(message->data, "<robot/>");
  ASSERT_TRUE(description.write(*message));
  ASSERT_TRUE(output.write(*message));

  Node receiver(local_node("receiver"));
  std::atomic<int> descriptions{0};
  std::atomic<int> outputs{0};
  const auto description_reader = receiver.subscribe<String>(
      "robot_description", kDescriptionQos, [&](const String& text_message) {
        descriptions += text(text_message.data) == "<robot/>" ? 1 : 1000;
      });
  const auto output_reader =
      receiver.subscribe<String>("output", kCommandQos, [&](const String&) { ++outputs; });
  EXPECT_TRUE(eventually([&] { return descriptions == 1 && output_reader.matched() == 1; }));
  ASSERT_TRUE(output.write(*message));
  EXPECT_TRUE(eventually([&] { return outputs == 1; }));  // the second, not the first
}

TEST(Node, IncompatibleQosIsReportedOnBothSides) {
  std::mutex mutex;
  std::vector<QosMismatch> mismatches;
  const auto collect = [&](const QosMismatch& mismatch) {
    const std::lock_guard lock(mutex);
    mismatches.push_back(mismatch);
  };
  NodeOptions options = local_node("a");
  options.events.on_qos_mismatch = collect;
  Node node(options);
  const Qos best_effort{Reliability::kBestEffort, Durability::kVolatile, 1};
  auto unreliable = node.advertise<String>("x", best_effort);
  const auto strict = node.subscribe<String>("x", kCommandQos, [](const String&) {});
  auto volatile_writer = node.advertise<String>("y", kOutputQos);
  const auto late = node.subscribe<String>("y", kDescriptionQos, [](const String&) {});
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return mismatches.size() == 4;
  }));
  EXPECT_EQ(unreliable.matched(), 0U);
  EXPECT_EQ(strict.matched(), 0U);
  int reliability = 0;
  int durability = 0;
  for (const QosMismatch& mismatch : mismatches) {
    EXPECT_EQ(mismatch.policy, mismatch.topic == "/x" ? "RELIABILITY" : "DURABILITY");
    (mismatch.topic == "/x" ? reliability : durability) += mismatch.we_publish ? 10 : 1;
  }
  EXPECT_EQ(reliability, 11);
  EXPECT_EQ(durability, 11);
}

TEST(Node, MismatchIsASentence) {
  EXPECT_EQ((QosMismatch{"/x", false, "RELIABILITY"}.sentence()),
            "topic '/x': a publisher was found whose RELIABILITY does not fit ours; nothing will "
            "arrive from it.");
  EXPECT_EQ((QosMismatch{"/x", true, policy_name(99)}.sentence()),
            "topic '/x': a subscriber was found whose policy 99 does not fit ours; nothing will "
            "reach it.");
}

TEST(Node, ThrowingCallbackIsReportedAndNextMessageArrives) {
  NodeOptions options = local_node("thrower");
  std::string sentence;
  options.events.on_error = [&](const std::string& text) { sentence = text; };
  Node node(options);
  int received = 0;
  auto writer = node.advertise<String>("x", kOutputQos);
  const auto reader = node.subscribe<String>("x", kCommandQos, [&](const String&) {
    if (++received == 1) throw std::runtime_error("the first is always wrong");
  });
  const Message<String> message;
  ASSERT_TRUE(writer.write(*message));  // in one process, the callback runs before write() returns
  EXPECT_EQ(sentence, "topic '/x': the first is always wrong");
  ASSERT_TRUE(writer.write(*message));
  EXPECT_EQ(received, 2);
}

TEST(Node, RemapsAndNamespaceReachTheWire) {
  NodeOptions options = local_node("dynamics");
  options.remaps = {{"", "__ns", "/left"}, {"", "__node", "arm"}, {"", "~/torque", "/commands"}};
  Node node(options);
  EXPECT_EQ(node.name().full(), "/left/arm");
  EXPECT_EQ(node.resolve("joint_states"), "/left/joint_states");
  auto writer = node.advertise<String>("~/torque", kOutputQos);
  EXPECT_EQ(writer.topic(), "/commands");
  std::atomic<bool> received{false};
  Node other(local_node("other"));
  const auto reader =
      other.subscribe<String>("commands", kCommandQos, [&](const String&) { received = true; });
  ASSERT_TRUE(eventually([&] { return writer.matched() == 1; }));
  const Message<String> message;
  ASSERT_TRUE(writer.write(*message));
  EXPECT_TRUE(eventually([&] { return received.load(); }));
}

/// The node lists on ros_discovery_info, kept like in a ROS 2 process.
template <typename Info>
class GraphWatch {
 public:
  GraphWatch()
      : participant_(discovery_options_from(environment_of(local_variables()))),
        topic_(dds_create_topic(participant_.handle(), &descriptor<Info>(), "ros_discovery_info",
                                nullptr, nullptr)),
        reader_(dds_create_reader(participant_.handle(), topic_.get(),
                                  make_qos(kDiscoveryInfoQos, EndpointKind::kReader, {}).get(),
                                  nullptr)) {}

  /// True if "/ns name readers writers" has been the newest list.
  bool saw(const std::string& expected) {
    return eventually([&] {
      void* sample = &*newest_;
      dds_sample_info_t info{};
      while (dds_take(reader_.get(), &sample, &info, 1, 1) > 0) {
        if (info.valid_data && summary() == expected) return true;
      }
      return false;
    });
  }
  [[nodiscard]] std::string summary() const {
    if (newest_->node_entities_info_seq._length != 1) return {};
    const auto& node = view(newest_->node_entities_info_seq)[0];
    return std::string(node.node_namespace) + ' ' + node.node_name + ' ' +
           std::to_string(node.reader_gid_seq._length) + ' ' +
           std::to_string(node.writer_gid_seq._length);
  }
  [[nodiscard]] const Info& newest() const { return *newest_; }

 private:
  Participant participant_;
  Entity topic_;
  Entity reader_;
  Message<Info> newest_;
};

TEST(Node, AppearsInTheGraphWithItsEndpoints) {
  GraphWatch<ParticipantEntitiesInfo> watch;
  NodeOptions options = local_node("dynamics");
  options.ns = "/left";
  Node node(options);
  EXPECT_TRUE(watch.saw("/left dynamics 0 0"));
  auto writer = std::make_optional(node.advertise<String>("x", kOutputQos));
  EXPECT_TRUE(watch.saw("/left dynamics 0 1"));
  auto reader = std::make_optional(node.subscribe<String>("y", kCommandQos, [](const String&) {}));
  EXPECT_TRUE(watch.saw("/left dynamics 1 1"));
  // The identifiers are those of DDS itself: the first twelve bytes identify the participant.
  const auto& info = watch.newest();
  const auto& listed = view(info.node_entities_info_seq)[0];
  EXPECT_EQ(std::memcmp(&info.gid, &listed.reader_gid_seq._buffer[0], 12), 0);
  EXPECT_EQ(std::memcmp(&info.gid, &listed.writer_gid_seq._buffer[0], 12), 0);
  EXPECT_NE(std::memcmp(&info.gid, &listed.writer_gid_seq._buffer[0], 16), 0);
  writer.reset();
  EXPECT_TRUE(watch.saw("/left dynamics 1 0"));
  reader.reset();
  EXPECT_TRUE(watch.saw("/left dynamics 0 0"));
}

TEST(Node, AppearsInAHumbleGraphToo) {
  GraphWatch<ParticipantEntitiesInfo24> watch;
  NodeOptions options = local_node("dynamics");
  auto variables = local_variables();
  variables["ROS_DISTRO"] = "humble";
  options.environment = environment_of(variables);
  Node node(options);
  const auto writer = node.advertise<String>("x", kOutputQos);
  EXPECT_TRUE(watch.saw("/ dynamics 0 1"));
  for (std::size_t i = 16; i < 24; ++i) EXPECT_EQ(watch.newest().gid.data[i], 0);
}

TEST(Node, EndpointsMayOutliveTheNodeObject) {
  std::optional<Node> node(local_node("short"));
  auto writer = node->advertise<String>("x", kOutputQos);
  int received = 0;
  const auto reader = node->subscribe<String>("x", kCommandQos, [&](const String&) { ++received; });
  node.reset();
  const Message<String> message;
  EXPECT_TRUE(writer.write(*message));
  EXPECT_EQ(received, 1);
}

TEST(Node, NoCallbackRunsAfterItsReaderIsGone) {
  Node node(local_node("short"));
  auto writer = node.advertise<String>("x", kOutputQos);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    const Message<String> message;
    while (!stop) (void)writer.write(*message);
  });
  for (int i = 0; i < 20; ++i) {
    auto received = std::make_unique<std::atomic<int>>(0);
    {
      const auto reader = node.subscribe<String>("x", kCommandQos, [&received](const String&) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++*received;
      });
      EXPECT_TRUE(eventually([&] { return *received > 0; }));
    }
    received.reset();  // a late callback would crash here
  }
  stop = true;
  busy.join();
}

TEST(Node, ErrorsNameTheTopicTheTypeAndTheReason) {
  Node node(local_node("a"));
  const Qos no_history{Reliability::kReliable, Durability::kVolatile, 0};
  EXPECT_EQ(error_of([&] { (void)node.advertise<Clock>("x", no_history); }),
            "topic '/x' (rosgraph_msgs/msg/Clock) could not be published: Bad Parameter.");
  EXPECT_EQ(error_of([&] { (void)node.subscribe<Clock>("x", no_history, [](const Clock&) {}); }),
            "topic '/x' (rosgraph_msgs/msg/Clock) could not be subscribed to: Bad Parameter.");
  EXPECT_EQ(error_of([&] { (void)node.advertise<String>("a b", kOutputQos); }),
            "topic name '/a b' may have letters, digits, _ and / only.");
}

TEST(Node, OneProcessHasOneConfigurationPerDomain) {
  const Node node(local_node("a"));
  NodeOptions options = local_node("b");
  auto variables = local_variables();
  variables["ROS_STATIC_PEERS"] = "127.0.0.2";
  options.environment = environment_of(variables);
  EXPECT_NE(error_of([&] { const Node other(options); }).find("already uses domain"),
            std::string::npos);
  variables = local_variables();
  variables["CYCLONEDDS_URI"] = "<CycloneDDS><Nonsense/></CycloneDDS>";
  variables["ROS_DOMAIN_ID"] = "102";
  options.environment = environment_of(variables);
  EXPECT_NE(error_of([&] { const Node other(options); }).find("could not be set up"),
            std::string::npos);
}

TEST(Node, DomainCanBeLeftAndJoinedAgain) {
  for (int i = 0; i < 3; ++i) {
    Node node(local_node("a"));
    auto writer = node.advertise<String>("x", kOutputQos);
    EXPECT_TRUE(writer.write(*Message<String>()));
  }
}

}  // namespace
}  // namespace spatial_dynamics::dds
