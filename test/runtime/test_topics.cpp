// The table of topics, and the page that is generated from it.
#include "spatial_dynamics/runtime/topics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "spatial_dynamics/runtime/parameters.hpp"
#include "support/generated_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Topics, TheManualPageFollowsTheTables) {
  std::ostringstream page;
  write_topic_markdown(page);
  expect_current("docs/topics.md", page.str());
}

TEST(Topics, TheReadmeListsThoseThatAreThereUnlessSwitchedOff) {
  std::ostringstream rows;
  rows << "| topic of the node | | type | meaning |\n|---|---|---|---|\n";
  for (const TopicDescription& t : topic_table()) {
    if (!t.when.empty() &&
        to_text(find_parameter(parameter_table(), t.when)->default_value) != "true") {
      continue;
    }
    const char* way = t.direction == TopicDescription::Direction::kIn ? "in" : "out";
    rows << "| `" << t.name << "` | " << way << " | " << t.type << " | " << t.help << " |\n";
  }
  expect_part_current("README.md", "topics", rows.str());
}

TEST(Topics, EachIsDescribedOnce) {
  for (const TopicTable* table : {&topic_table(), &simulator_topic_table()}) {
    std::set<std::string> names;
    for (const TopicDescription& topic : *table) {
      EXPECT_TRUE(names.insert(topic.name).second) << topic.name;
      EXPECT_FALSE(topic.help.empty()) << topic.name;
      EXPECT_EQ(topic.help.back(), '.') << topic.name;
    }
  }
}

TEST(Topics, WhatSwitchesOneOnIsAParameter) {
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
