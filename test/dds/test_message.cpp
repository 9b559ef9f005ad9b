#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dds/message.hpp"
#include "dds/topic_names.hpp"
#include "dds/type_hash.hpp"
#include "spatial_dynamics/spatial/types.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::dds {
namespace {

const std::vector<std::string> kNames{"shoulder", "elbow", "wrist"};

void fill(Message<JointState>& message, const std::vector<std::string>& names, double effort) {
  message->header.stamp = from_nanoseconds(1'500'000'000);
  assign(message->header.frame_id, "base");
  assign(message->name, names);
  resize(message->effort, names.size());
  for (double& value : elements(message->effort)) value = effort;
}

TEST(Message, StartsEmpty) {
  const Message<JointState> message;
  EXPECT_EQ(text(message->header.frame_id), "");
  EXPECT_TRUE(view(message->name).empty());
  EXPECT_TRUE(view(message->position).empty());
}

TEST(Message, ReadsAssignedValues) {
  Message<JointState> message;
  fill(message, kNames, 2.5);
  assign(message->position, VectorXd::LinSpaced(3, 1.0, 3.0));
  EXPECT_EQ(text(message->header.frame_id), "base");
  ASSERT_EQ(view(message->name).size(), 3U);
  std::vector<std::string> names;
  for (const std::string_view name : view(message->name)) names.emplace_back(name);
  EXPECT_EQ(names, kNames);
  EXPECT_EQ(view(message->name)[1], "elbow");
  EXPECT_EQ(view(message->position)[2], 3.0);
  EXPECT_EQ(view(message->effort)[0], 2.5);
}

TEST(Message, SteadyStateAllocatesNothing) {
  Message<JointState> message;
  fill(message, kNames, 1.0);
  const test::HeapWatch heap;
  for (int i = 0; i < 100; ++i) fill(message, kNames, i);
  EXPECT_EQ(heap.count(), 0U);
}

TEST(Message, ShrinksAndGrowsToAssignedValues) {
  Message<JointState> message;
  fill(message, kNames, 1.0);
  fill(message, {"a"}, 2.0);
  EXPECT_EQ(view(message->name).size(), 1U);
  EXPECT_EQ(view(message->name)[0], "a");
  fill(message, {"a much longer name than before", "b", "c", "d"}, 3.0);
  EXPECT_EQ(view(message->name)[0], "a much longer name than before");
  EXPECT_EQ(view(message->name)[3], "d");
  assign(message->name, std::vector<std::string>{});
  EXPECT_TRUE(view(message->name).empty());
  assign(message->header.frame_id, "");
  EXPECT_EQ(text(message->header.frame_id), "");
}

TEST(Message, EveryReleaseHasItsAllocation) {
  // Nested sequences that are shortened: elements beyond the end still belong to the message and
  // are freed with it. An allocation and its release are two calls, so a leak makes the number odd,
  // and two uses must double the number.
  const auto use = [] {
    Message<JointTrajectory> message;
    assign(message->joint_names, kNames);
    resize(message->points, 3);
    for (JointTrajectoryPoint& point : elements(message->points)) resize(point.positions, 3);
    resize(message->points, 1);
    Message<JointTrajectory> moved(std::move(message));
    message = std::move(moved);
  };
  use();
  const test::HeapWatch heap;
  use();
  // Three names, their sequence, three times positions and the points.
  EXPECT_EQ(heap.count(), 2U * (3 + 1 + 3 + 1));
}

TEST(Message, MovedFromMessageIsEmpty) {
  Message<JointState> message;
  fill(message, kNames, 1.0);
  Message<JointState> other(std::move(message));
  EXPECT_EQ(view(other->name).size(), 3U);
  EXPECT_TRUE(view(message->name).empty());  // NOLINT(bugprone-use-after-move): that is the test
  other.clear();
  EXPECT_TRUE(view(other->name).empty());
}

TEST(Message, TimeIsOneNumberAndBack) {
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{1'700'000'000'123'456'789},
        std::int64_t{-250'000'000}, std::int64_t{-1'000'000'000}}) {
    EXPECT_EQ(nanoseconds(from_nanoseconds(count)), count);
    EXPECT_EQ(nanoseconds(from_nanoseconds<Duration>(count)), count);
  }
  EXPECT_EQ(from_nanoseconds(-250'000'000).sec, -1);
  EXPECT_EQ(from_nanoseconds(-250'000'000).nanosec, 750'000'000U);
}

template <typename T>
class EveryTopicType : public ::testing::Test {};
using TopicTypes =
    ::testing::Types<Bool, String, Float64MultiArray, Vector3Stamped, AccelStamped, WrenchStamped,
                     InertiaStamped, JointState, JointTrajectory, Odometry, DiagnosticArray,
                     MetricsMessage, Clock, ParticipantEntitiesInfo, ParticipantEntitiesInfo24>;
TYPED_TEST_SUITE(EveryTopicType, TopicTypes);

TYPED_TEST(EveryTopicType, HasAHashAndNeitherKeyNorTypeInformation) {
  const dds_topic_descriptor_t& type = descriptor<TypeParam>();
  const std::string_view hash = type_hash(ros_type_name(type.m_typename));
  EXPECT_EQ(hash.size(), 64U) << type.m_typename;
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string_view::npos);
  EXPECT_EQ(type.m_nkeys, 0U);
  EXPECT_EQ(type.m_flagset & DDS_TOPIC_XTYPES_METADATA, 0U);
}

TEST(TypeHash, UnknownTypeHasNone) { EXPECT_TRUE(type_hash("std_msgs/msg/Int8").empty()); }

}  // namespace
}  // namespace spatial_dynamics::dds
