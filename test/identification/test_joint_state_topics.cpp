#include "identification/joint_state_topics.hpp"

#include <gtest/gtest.h>

#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

LogTable chosen(const std::vector<std::pair<std::string, std::vector<RecordedState>>>& topics,
                const std::string& topic = "") {
  const LogReadOptions options{topic};
  JointStateTopics states(kTwoJoints, options);
  for (const auto& [name, messages] : topics) {
    const std::size_t number = states.topic(name, kJointStateType, "cdr");
    for (const RecordedState& message : messages) {
      if (states.wanted(number)) states.message(number, 7, joint_state_cdr(message));
    }
  }
  return states.choose();
}

std::string topics_problem(
    const std::vector<std::pair<std::string, std::vector<RecordedState>>>& topics,
    const std::string& topic = "") {
  return message_of<LogProblem>([&] { return chosen(topics, topic); });
}

const RecordedState kBoth{5.0, {"elbow", "shoulder"}, {1, 2}, {3, 4}, {5, 6}};
const RecordedState kWithoutEffort{5.0, {"elbow", "shoulder"}, {1, 2}, {3, 4}, {}};
const RecordedState kOneJoint{5.0, {"elbow"}, {1}, {3}, {5}};
const RecordedState kOtherRobot{5.0, {"wheel"}, {1}, {3}, {5}};

TEST(JointStateTopicsTest, ArrangesByNameAndLeavesMissingNumbersOut) {
  const LogTable table =
      chosen({{"/joint_states", {kBoth, {5.5, {"shoulder", "wheel"}, {7, 8}, {}, {9, 10}}}}});
  ASSERT_EQ(table.rows(), 2U);
  const std::vector<double> first(table.row(0), table.row(0) + table.width());
  EXPECT_EQ(std::vector<double>(first.begin(), first.begin() + 5),
            (std::vector<double>{0, 2, 1, 4, 3}));
  EXPECT_TRUE(std::isnan(first[5]) && std::isnan(first[6]));  // no accelerations
  EXPECT_EQ(first[7], 6);
  EXPECT_EQ(first[8], 5);
  EXPECT_DOUBLE_EQ(table.row(1)[0], 0.5);
  EXPECT_EQ(table.row(1)[1], 7);
  EXPECT_TRUE(std::isnan(table.row(1)[2]) && std::isnan(table.row(1)[3]));
  EXPECT_EQ(table.row(1)[7], 9);
}

TEST(JointStateTopicsTest, ChoosesTheTopicWithMostJointsThenEffortsThenMessages) {
  EXPECT_EQ(chosen({{"/one", {kOneJoint, kOneJoint, kOneJoint}}, {"/both", {kBoth}}}).source.topic,
            "/both");
  EXPECT_EQ(
      chosen({{"/without", {kWithoutEffort, kWithoutEffort}}, {"/with", {kBoth}}}).source.topic,
      "/with");
  EXPECT_EQ(chosen({{"/few", {kBoth}}, {"/many", {kBoth, kBoth}}}).source.topic, "/many");
  EXPECT_EQ(chosen({{"/few", {kBoth}}, {"/many", {kBoth, kBoth}}}, "/few").source.topic, "/few");
}

TEST(JointStateTopicsTest, TakesTheTimeOfReceptionWithoutAStamp) {
  const LogReadOptions options;
  JointStateTopics states(kTwoJoints, options);
  const std::size_t topic = states.topic("/s", kJointStateType, "cdr");
  RecordedState state = kBoth;
  state.stamp = 0.0;
  states.message(topic, 1'700'000'000'000'000'001, joint_state_cdr(state));
  states.message(topic, 1'700'000'000'002'000'001, joint_state_cdr(state));
  EXPECT_DOUBLE_EQ(states.choose().row(1)[0], 0.002);
}

TEST(JointStateTopicsTest, NamesTheTopicsThatThereAre) {
  EXPECT_EQ(topics_problem({}), "has no topic of type sensor_msgs/msg/JointState");
  EXPECT_EQ(topics_problem({{"/s", {}}}), "has no message on topic '/s'");
  EXPECT_EQ(topics_problem({{"/s", {kOtherRobot}}}),
            "has no joint of this robot on topic '/s'; is it another robot's?");
  EXPECT_EQ(topics_problem({{"/s", {kBoth}}, {"/r", {kBoth}}}, "/t"),
            "has no topic '/t'; its joint states are on '/s', '/r'");
  const LogReadOptions any, named{"/tf"};
  for (const LogReadOptions* options : {&any, &named}) {
    JointStateTopics states(kTwoJoints, *options);
    (void)states.topic("/tf", "tf2_msgs/msg/TFMessage", "cdr");
    (void)states.topic("/rosout", "rcl_interfaces/msg/Log", "cdr");
    EXPECT_EQ(message_of<LogProblem>([&] { return states.choose(); }),
              options == &any
                  ? "has no topic of type sensor_msgs/msg/JointState; it has '/tf', '/rosout'"
                  : "has messages of type 'tf2_msgs/msg/TFMessage' on topic '/tf', not "
                    "sensor_msgs/msg/JointState");
  }
  JointStateTopics states(kTwoJoints, any);
  (void)states.topic("/s", kJointStateType, "ros1");
  EXPECT_EQ(message_of<LogProblem>([&] { return states.choose(); }),
            "has no topic of type sensor_msgs/msg/JointState in CDR, the encoding of ROS 2");
}

TEST(JointStateTopicsTest, NamesAMessageThatIsNoJointState) {
  const LogReadOptions options;
  JointStateTopics states(kTwoJoints, options);
  const std::size_t topic = states.topic("/s", kJointStateType, "cdr");
  states.message(topic, 1, joint_state_cdr(kBoth));
  EXPECT_EQ(message_of<LogProblem>([&] {
              states.message(topic, 2, "nothing");
              return 0;
            }),
            "message 2 on topic '/s' is not a JointState: its encoding is not CDR");
}

}  // namespace
}  // namespace spatial_dynamics::test
