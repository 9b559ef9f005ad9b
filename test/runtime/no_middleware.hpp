// A middleware without messages: its types only name the rows of the topic tables.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "runtime/topics.hpp"

namespace spatial_dynamics::test {

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

inline bool is_input(const TopicDescription& row) {
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

}  // namespace spatial_dynamics::test
