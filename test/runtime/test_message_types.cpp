// Table, code and manual page agree on the type of each message.
#include "runtime/message_types.hpp"

#include <gtest/gtest.h>

#include "runtime/no_middleware.hpp"
#include "support/generated_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(MessageTypes, EachTypeIsVisitedAsItself) {
  for (int i = 0; i <= static_cast<int>(MessageType::kClock); ++i) {
    const auto type = static_cast<MessageType>(i);
    int visited = 0;
    visit_message_type<NoMiddleware>(type, [&](auto tag) {
      EXPECT_EQ(decltype(tag)::Type::kType, type);
      ++visited;
    });
    EXPECT_EQ(visited, 1) << to_string(type);
  }
}

TEST(MessageTypes, ManualPageHasTheTypesOfTheTables) {
  const std::string page = source_file("docs/topics.md");
  for (const TopicTable* table :
       {&topic_table(), &simulator_topic_table(), &simulated_system_topic_table()}) {
    for (const TopicDescription& row : *table) {
      const std::string begin =
          "| `" + row.name + "` | " + (is_input(row) ? "in" : "out") + " | " + to_string(row.type);
      EXPECT_NE(page.find(begin), std::string::npos) << begin;
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
