#include <gtest/gtest.h>

#include "dds/topic_names.hpp"
#include "dds_test.hpp"

namespace spatial_dynamics::dds {
namespace {

using test::error_of;

const NodeName kNode{"/arm", "dynamics"};
const NodeName kRootNode{"/", "dynamics"};

TEST(TopicNames, RelativeNameIsInTheNamespace) {
  EXPECT_EQ(resolve_topic_name("joint_states", kNode), "/arm/joint_states");
  EXPECT_EQ(resolve_topic_name("joint_states", kRootNode), "/joint_states");
  EXPECT_EQ(resolve_topic_name("a/b", kNode), "/arm/a/b");
}

TEST(TopicNames, AbsoluteNameStaysWhereItIs) {
  EXPECT_EQ(resolve_topic_name("/diagnostics", kNode), "/diagnostics");
}

TEST(TopicNames, PrivateNameIsBelowTheNode) {
  EXPECT_EQ(resolve_topic_name("~/torque", kNode), "/arm/dynamics/torque");
  EXPECT_EQ(resolve_topic_name("~/torque/gravity", kRootNode), "/dynamics/torque/gravity");
  EXPECT_EQ(resolve_topic_name("~", kNode), "/arm/dynamics");
}

TEST(TopicNames, BracesStandForNodeAndNamespace) {
  EXPECT_EQ(resolve_topic_name("{node}/x", kNode), "/arm/dynamics/x");
  EXPECT_EQ(resolve_topic_name("{ns}/x", kNode), "/arm/x");
  EXPECT_EQ(resolve_topic_name("/other/{node}{namespace}", kNode), "/other/dynamics/arm");
}

TEST(TopicNames, RuleAppliesToEverySpellingOfTopic) {
  const std::vector<RemapRule> rules{{"", "joint_states", "/robot/states"}};
  EXPECT_EQ(resolve_topic_name("joint_states", kNode, rules), "/robot/states");
  EXPECT_EQ(resolve_topic_name("/arm/joint_states", kNode, rules), "/robot/states");
  EXPECT_EQ(resolve_topic_name("/joint_states", kNode, rules), "/joint_states");
  EXPECT_EQ(resolve_topic_name("~/x", kNode, {{"", "/arm/dynamics/x", "y"}}), "/arm/y");
  EXPECT_EQ(resolve_topic_name("x", kNode, {{"", "x", "~/y"}}), "/arm/dynamics/y");
  EXPECT_EQ(resolve_topic_name("~/torque_array", kNode, {{"", "~/torque_array", "/c/commands"}}),
            "/c/commands");
}

TEST(TopicNames, FirstMatchingRuleIsAppliedOnce) {
  const std::vector<RemapRule> rules{{"", "a", "b"}, {"", "a", "c"}, {"", "b", "d"}};
  EXPECT_EQ(resolve_topic_name("a", kNode, rules), "/arm/b");
  EXPECT_EQ(resolve_topic_name("b", kNode, rules), "/arm/d");
}

TEST(TopicNames, RuleForANodeLeavesOthersAlone) {
  const std::vector<RemapRule> rules{{"simulator", "a", "b"}, {"dynamics", "a", "c"}};
  EXPECT_EQ(resolve_topic_name("a", kNode, rules), "/arm/c");
  EXPECT_EQ(resolve_topic_name("a", {"/arm", "simulator"}, rules), "/arm/b");
  EXPECT_EQ(resolve_topic_name("a", {"/arm", "view"}, rules), "/arm/a");
}

TEST(TopicNames, SchemesDistinguishTopicsAndServices) {
  EXPECT_EQ(resolve_topic_name("a", kNode, {{"", "rostopic://a", "b"}}), "/arm/b");
  EXPECT_EQ(resolve_topic_name("a", kNode, {{"", "rosservice://a", "b"}}), "/arm/a");
}

TEST(TopicNames, NodeIsRenamedAndMoved) {
  const NodeName node =
      resolve_node_name("dynamics", "/", {{"", "__node", "left"}, {"", "__ns", "/arms"}});
  EXPECT_EQ(node.name, "left");
  EXPECT_EQ(node.ns, "/arms");
  EXPECT_EQ(node.full(), "/arms/left");
  EXPECT_EQ(resolve_node_name("dynamics", "/", {{"", "__name", "left"}}).full(), "/left");
  EXPECT_EQ(resolve_node_name("dynamics", "arm").full(), "/arm/dynamics");
  EXPECT_EQ(resolve_node_name("dynamics", "").full(), "/dynamics");
}

TEST(TopicNames, NodeRulesUseOldNameOnlyToRename) {
  const std::vector<RemapRule> rules{{"dynamics", "__node", "left"},
                                     {"dynamics", "__ns", "/wrong"},
                                     {"left", "__ns", "/arms"},
                                     {"left", "a", "b"}};
  const NodeName node = resolve_node_name("dynamics", "/", rules);
  EXPECT_EQ(node.full(), "/arms/left");
  EXPECT_EQ(resolve_topic_name("a", node, rules), "/arms/b");
  EXPECT_EQ(resolve_node_name("other", "/", rules).full(), "/other");
}

TEST(TopicNames, BadTopicsAreRejectedWithTheReason) {
  const auto reason = [](const std::string& topic) {
    return error_of([&] { (void)resolve_topic_name(topic, kNode); });
  };
  EXPECT_EQ(reason(""), "topic name '' is empty.");
  EXPECT_EQ(reason("a/"), "topic name 'a/' must not end with /.");
  EXPECT_EQ(reason("/"), "topic name '/' must not end with /.");
  EXPECT_EQ(reason("a//b"), "topic name '/arm/a//b' has a / after another one.");
  EXPECT_EQ(reason("a b"), "topic name '/arm/a b' may have letters, digits, _ and / only.");
  EXPECT_EQ(reason("gr\xC3\xB6\xC3\x9F"
                   "e"),
            "topic name '/arm/gr\xC3\xB6\xC3\x9F"
            "e' may have letters, digits, _ and / only.");
  EXPECT_EQ(reason("1st"), "topic name '/arm/1st' has a part that starts with a digit.");
  EXPECT_EQ(reason("a/2b"), "topic name '/arm/a/2b' has a part that starts with a digit.");
  EXPECT_EQ(reason("~a"), "topic name '~a' must have a / after ~.");
  EXPECT_EQ(reason("a/~/b"),
            "topic name 'a/~/b' must not have a ~ that is not its first character.");
  EXPECT_EQ(reason("{node"), "topic name '{node' has a { without its }.");
  EXPECT_EQ(reason("node}"), "topic name '/arm/node}' may have letters, digits, _ and / only.");
  EXPECT_EQ(reason("{x}"), "topic name '{x}' has a {} that is none of {node}, {ns}, {namespace}.");
}

TEST(TopicNames, LongestTopicHas247Characters) {
  EXPECT_EQ(resolve_topic_name("/" + std::string(246, 'a'), kNode).size(), 247U);
  EXPECT_NE(error_of([] {
              (void)resolve_topic_name("/" + std::string(247, 'a'), kNode);
            }).find("is longer than 247 characters."),
            std::string::npos);
}

TEST(TopicNames, BadNodesAreRejectedWithTheReason) {
  const auto reason = [](const std::string& name, const std::string& ns) {
    return error_of([&] { (void)resolve_node_name(name, ns); });
  };
  EXPECT_EQ(reason("", "/"), "node name '' is empty.");
  EXPECT_EQ(reason("my-node", "/"), "node name 'my-node' may have letters, digits and _ only.");
  EXPECT_EQ(reason("2nd", "/"), "node name '2nd' must not start with a digit.");
  EXPECT_EQ(reason(std::string(256, 'a'), "/"),
            "node name '" + std::string(256, 'a') + "' is longer than 255 characters.");
  EXPECT_EQ(reason("n", "/a/"), "namespace '/a/' must not end with /.");
  EXPECT_EQ(reason("n", "//a"), "namespace '//a' has a / after another one.");
}

TEST(TopicNames, BadRulesAreRejectedEvenIfUnused) {
  const auto reason = [](const RemapRule& rule) {
    return error_of([&] { check_remap_rules({rule}); });
  };
  EXPECT_EQ(reason({"", "a", "b c"}),
            "remap rule 'a:=b c': topic name '/ns/b c' may have letters, digits, _ and / only.");
  EXPECT_EQ(reason({"", "", "b"}), "remap rule ':=b': topic name '' is empty.");
  EXPECT_EQ(reason({"n", "__ns", "left"}),
            "remap rule 'n:__ns:=left': namespace 'left' must start with /.");
  EXPECT_EQ(reason({"", "__node", "a/b"}),
            "remap rule '__node:=a/b': node name 'a/b' may have letters, digits and _ only.");
  EXPECT_LT(reason({"", "__node", std::string(4000, '-')}).size(), 800u)
      << "the sentence is too long";
  EXPECT_EQ(reason({"1n", "a", "b"}),
            "remap rule '1n:a:=b': node name '1n' must not start with a digit.");
  EXPECT_EQ(reason({"n", "~/a", "{ns}/b"}), "");
  EXPECT_EQ(reason({"", "rosservice://a", "b"}), "");
}

TEST(TopicNames, DdsNamesHaveTopicPrefixAndTypeNamespace) {
  EXPECT_EQ(dds_topic_name("/arm/joint_states"), "rt/arm/joint_states");
  EXPECT_EQ(ros_type_name("sensor_msgs::msg::dds_::JointState_"), "sensor_msgs/msg/JointState");
}

}  // namespace
}  // namespace spatial_dynamics::dds
