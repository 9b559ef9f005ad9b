// Every row of the topic tables has code: a middleware without messages records the created
// publishers.
#include "runtime/output_publishers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/no_middleware.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(TopicRows, EveryOutputHasPublisherOfItsType) {
  OutputPublishers<NoMiddleware> node("/dynamics");
  expect_all_advertised(node, topic_table());
}

TEST(TopicRows, EveryInputHasCallbackOfItsType) {
  for (const TopicDescription& row : topic_table()) {
    if (!is_input(row)) continue;
    int subscribed = 0;
    subscribe_input<NoMiddleware>(row, [&](auto tag, const auto&) {
      EXPECT_EQ(decltype(tag)::Type::kType, row.type) << row.name;
      ++subscribed;
    });
    EXPECT_EQ(subscribed, is_for_front_end(row.topic) ? 0 : 1) << row.name;
  }
}

TEST(TopicRows, RowWithoutCodeThrows) {
  TopicDescription row = find_topic(topic_table(), Topic::kTorque);
  EXPECT_THROW(subscribe_input<NoMiddleware>(row, [](auto, const auto&) {}), std::logic_error);
  row.topic = Topic::kClock;
  OutputPublishers<NoMiddleware> node("/dynamics");
  EXPECT_THROW(node.advertise(row, [](auto) { return 0; }), std::logic_error);
  row = find_topic(topic_table(), Topic::kTorque);
  row.type = MessageType::kClock;
  EXPECT_THROW(node.advertise(row, [](auto) { return 0; }), std::logic_error);
  row = find_topic(topic_table(), Topic::kGravity);
  row.type = MessageType::kClock;
  EXPECT_THROW(subscribe_input<NoMiddleware>(row, [](auto, const auto&) {}), std::logic_error);
}

TEST(TopicRows, FrontEndsReadTheirTopicsWithTheTypesOfTheTable) {
  EXPECT_EQ(find_topic(topic_table(), Topic::kSetActive).type, MessageType::kBool);
  EXPECT_EQ(find_topic(topic_table(), Topic::kSimTime).type, MessageType::kClock);
}

TEST(TopicRows, EveryOutputOfCycleIsDueWhenItIsComputed) {
  ControlOutput none, all;
  all.send_torque = all.send_drive = all.send_acceleration = true;
  all.send_terms = all.send_external_torque = true;
  for (const TopicDescription& row : topic_table()) {
    const bool report = row.topic == Topic::kDiagnostics || row.topic == Topic::kStatistics;
    EXPECT_EQ(is_due(row.topic, all), !is_input(row) && !report) << row.name;
    EXPECT_FALSE(is_due(row.topic, none)) << row.name;
  }
}

TEST(TopicRows, JointVectorsAreDistinct) {
  const ControlOutput out;
  std::set<const VectorXd*> vectors;
  for (const TopicDescription& row : topic_table()) {
    if (is_input(row) || row.type != MessageType::kJointState) continue;
    EXPECT_TRUE(vectors.insert(&joint_vector(row.topic, out)).second) << row.name;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
