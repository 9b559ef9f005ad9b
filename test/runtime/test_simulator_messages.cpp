#include "runtime/simulator_messages.hpp"

#include <gtest/gtest.h>

#include "runtime/no_middleware.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(SimulatorTopicRows, EveryOutputHasPublisherOfItsType) {
  SimulatorPublishers<NoMiddleware> simulator;
  expect_all_advertised(simulator, simulator_topic_table());
}

TEST(SimulatorTopicRows, EveryInputHasCallbackOfItsType) {
  for (const TopicDescription& row : simulator_topic_table()) {
    if (!is_input(row)) continue;
    int subscribed = 0;
    subscribe_simulator_input<NoMiddleware>(row, [&](auto tag, const auto&) {
      EXPECT_EQ(decltype(tag)::Type::kType, row.type) << row.name;
      ++subscribed;
    });
    EXPECT_EQ(subscribed, 1) << row.name;
  }
}

TEST(SimulatorTopicRows, RowWithoutCodeThrows) {
  SimulatorPublishers<NoMiddleware> simulator;
  const TopicDescription& torque = find_topic(topic_table(), Topic::kTorque);
  EXPECT_THROW(simulator.advertise(torque, [](auto) { return 0; }), std::logic_error);
  EXPECT_THROW(subscribe_simulator_input<NoMiddleware>(torque, [](auto, const auto&) {}),
               std::logic_error);
}

}  // namespace
}  // namespace spatial_dynamics::test
