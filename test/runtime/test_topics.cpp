// The table of topics, and the page that is generated from it.
#include "runtime/topics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "runtime/parameters.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "runtime/security_policy.hpp"
#include "support/generated_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Topics, TheManualPageFollowsTheTables) {
  std::ostringstream page;
  write_topic_markdown(page);
  expect_current("docs/topics.md", page.str());
}

TEST(Topics, Ros2PageListsTopicsOnByDefault) {
  std::ostringstream rows;
  rows << "| topic of the node | | type | meaning |\n|---|---|---|---|\n";
  for (const TopicDescription& t : topic_table()) {
    if (!t.when.empty() &&
        to_text(find_parameter(parameter_table(), t.when)->default_value) != "true") {
      continue;
    }
    const char* way = t.direction == TopicDescription::Direction::kIn ? "in" : "out";
    rows << "| `" << t.name << "` | " << way << " | " << to_string(t.type) << " | " << t.help
         << " |\n";
  }
  expect_part_current("docs/ros2.md", "topics", rows.str());
}

TEST(Topics, TheSecurityPolicyFollowsTheTables) {
  std::ostringstream policy;
  write_security_policy(policy);
  expect_current("config/sros2_policy.xml", policy.str());
}

TEST(Topics, TheSecurityPolicyAllowsEveryTopic) {
  std::ostringstream out;
  write_security_policy(out);
  const std::string policy = out.str();
  /// Of an enclave, as far as the end of the first profile of this node.
  const auto profile = [&policy](const std::string& enclave, const std::string& node) {
    const std::size_t from = policy.find("<enclave path=\"/" + enclave + "\">");
    const std::size_t at = policy.find("node=\"" + node + "\">", from);
    const std::size_t end = policy.find("</enclave>", from);
    EXPECT_LT(at, end) << enclave << ", " << node;
    return at < end ? policy.substr(at, policy.find("</profile>", at) - at) : std::string();
  };
  const auto allows = [](const std::string& part, const std::string& list,
                         const std::string& entry) {
    const std::size_t begin = part.find(list);
    if (begin == std::string::npos) return false;
    return part.substr(begin, part.find("s>\n", begin + list.size()) - begin)
               .find('>' + entry + '<') != std::string::npos;
  };
  const auto expect_all = [&](const std::string& part, const TopicTable& table,
                              const std::set<Topic>& except = {}) {
    for (const TopicDescription& topic : table) {
      const bool in = topic.direction == TopicDescription::Direction::kIn;
      EXPECT_EQ(allows(part, in ? "<topics subscribe=" : "<topics publish=", topic.name),
                except.count(topic.topic) == 0)
          << topic.name;
    }
  };
  expect_all(profile("dynamics", "dynamics"), topic_table());
  expect_all(profile("robot_simulator", "robot_simulator"), simulator_topic_table());
  const std::string controller = profile("controller_manager", "torque_controller");
  expect_all(controller, topic_table(), {Topic::kJointStates, Topic::kRobotDescription});
  for (const char* service : {"~/release", "~/set_active", "~/set_parameters"}) {
    EXPECT_TRUE(allows(controller, "<services reply=", service)) << service;
  }
  expect_all(profile("controller_manager", "simulated_robot"), simulated_system_topic_table());
}

TEST(Topics, EachIsDescribedOnce) {
  for (const TopicTable* table :
       {&topic_table(), &simulator_topic_table(), &simulated_system_topic_table()}) {
    std::set<std::string> names;
    for (const TopicDescription& topic : *table) {
      EXPECT_TRUE(names.insert(topic.name).second) << topic.name;
      EXPECT_FALSE(topic.help.empty()) << topic.name;
      EXPECT_EQ(topic.help.back(), '.') << topic.name;
    }
  }
}

std::set<std::string> names_of(const TopicTable& table) {
  std::set<std::string> names;
  for (const TopicDescription& topic : table) names.insert(topic.name);
  return names;
}

TEST(Topics, ParametersSwitchThemOnAndOff) {
  ParameterSet parameters(parameter_table());
  const auto enabled = [&] { return names_of(enabled_topics(topic_table(), parameters)); };
  EXPECT_EQ(enabled().count("~/torque_array"), 1u);
  EXPECT_EQ(enabled().count("~/base/wrench"), 0u);
  EXPECT_EQ(enabled().count("robot_description"), 1u);
  parameters.set("publish.torque_array", false);
  parameters.set("floating_base", true);
  parameters.set("urdf_file", std::string("robot.urdf"));
  EXPECT_EQ(enabled().count("~/torque_array"), 0u);
  EXPECT_EQ(enabled().count("~/base/wrench"), 1u);
  EXPECT_EQ(enabled().count("robot_description"), 0u);
  for (const char* name : {"publish.torque_array", "publish.torque_terms", "publish.mass_matrix",
                           "publish.external_torque", "use_sim_time"}) {
    parameters.set(name, true);
  }
  EXPECT_EQ(enabled().size(), topic_table().size() - 1);  // without robot_description
}

TEST(Topics, OnlyTorquesAreOfferedWithADeadline) {
  const std::chrono::milliseconds deadline(5);
  for (const TopicDescription& topic :
       enabled_topics(topic_table(), ParameterSet(parameter_table()), deadline)) {
    EXPECT_EQ(topic.qos.deadline == deadline, carries_torque(topic.topic)) << topic.name;
    EXPECT_EQ(topic.qos.deadline.count() == 0, !carries_torque(topic.topic)) << topic.name;
  }
}

TEST(Topics, SwitchOfATopicIsAParameter) {
  for (const TopicDescription& topic : topic_table()) {
    if (topic.when.empty()) continue;
    EXPECT_NE(find_parameter(parameter_table(), topic.when), nullptr) << topic.name;
  }
  for (const TopicDescription& topic : simulator_topic_table()) {
    if (topic.when.empty()) continue;
    EXPECT_NE(find_parameter(simulator_parameter_table(), topic.when), nullptr) << topic.name;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
