// Every row of the tables of topics is served: a middleware without messages notes what is created.
#include "runtime/output_publishers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spatial_dynamics::test {
namespace {

template <MessageType type>
struct Empty {
  static constexpr MessageType kType = type;
};

struct NoMiddleware {
  using Bool = Empty<MessageType::kBool>;
  using String = Empty<MessageType::kString>;
  using Float64MultiArray = Empty<MessageType::kFloat64MultiArray>;
  using JointState = Empty<MessageType::kJointState>;
  using JointTrajectory = Empty<MessageType::kJointTrajectory>;
  using Odometry = Empty<MessageType::kOdometry>;
  using AccelStamped = Empty<MessageType::kAccelStamped>;
  using WrenchStamped = Empty<MessageType::kWrenchStamped>;
  using InertiaStamped = Empty<MessageType::kInertiaStamped>;
  using Vector3Stamped = Empty<MessageType::kVector3Stamped>;
  using DiagnosticArray = Empty<MessageType::kDiagnosticArray>;
  using MetricsMessage = Empty<MessageType::kMetricsMessage>;
  using Clock = Empty<MessageType::kClock>;
  template <typename T>
  using Publisher = int;
  template <typename T>
  using Owned = int;
  static std::string_view text(const std::string& field);
};

bool is_input(const TopicDescription& row) {
  return row.direction == TopicDescription::Direction::kIn;
}

/// Expects one call per output row, with the type that the table lists.
template <typename Publishers>
void expect_all_advertised(Publishers& publishers, const TopicTable& table) {
  for (const TopicDescription& row : table) {
    if (is_input(row)) continue;
    int created = 0;
    publishers.advertise(row, [&](auto tag) {
      EXPECT_EQ(decltype(tag)::Type::kType, row.type) << row.name;
      return ++created;
    });
    EXPECT_EQ(created, 1) << row.name;
  }
}

TEST(TopicRows, EveryOutputHasPublisherOfItsType) {
  OutputPublishers<NoMiddleware> node("/dynamics");
  expect_all_advertised(node, topic_table());
  SimulatorPublishers<NoMiddleware> simulator;
  expect_all_advertised(simulator, simulator_topic_table());
}

TEST(TopicRows, EveryInputButSetActiveHasCallbackOfItsType) {
  for (const TopicDescription& row : topic_table()) {
    if (!is_input(row)) continue;
    int subscribed = 0;
    subscribe_input<NoMiddleware>(row, [&](auto tag, const auto&) {
      EXPECT_EQ(decltype(tag)::Type::kType, row.type) << row.name;
      ++subscribed;
    });
    EXPECT_EQ(subscribed, row.topic == Topic::kSetActive ? 0 : 1) << row.name;
  }
}

TEST(TopicRows, RowWithoutCodeThrows) {
  TopicDescription row = find_topic(topic_table(), Topic::kTorque);
  EXPECT_THROW(subscribe_input<NoMiddleware>(row, [](auto, const auto&) {}), std::logic_error);
  row.topic = Topic::kClock;
  OutputPublishers<NoMiddleware> node("/dynamics");
  EXPECT_THROW(node.advertise(row, [](auto) { return 0; }), std::logic_error);
  row.topic = Topic::kTorque;
  SimulatorPublishers<NoMiddleware> simulator;
  EXPECT_THROW(simulator.advertise(row, [](auto) { return 0; }), std::logic_error);
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
