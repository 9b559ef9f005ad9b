// The types on the wire are those of the topic tables.
#include "dds/middleware.hpp"

#include <gtest/gtest.h>

#include <string>

namespace spatial_dynamics::dds {
namespace {

/// "sensor_msgs/JointState" as ROS 2 names it on the wire: "sensor_msgs::msg::dds_::JointState_".
std::string wire_name(const std::string& type) {
  const std::size_t slash = type.find('/');
  return type.substr(0, slash) + "::msg::dds_::" + type.substr(slash + 1) + "_";
}

TEST(CycloneTypes, HaveTheNamesOfTheTopicTables) {
  for (int i = 0; i <= static_cast<int>(MessageType::kClock); ++i) {
    const auto type = static_cast<MessageType>(i);
    visit_message_type<Cyclone>(type, [type](auto tag) {
      using T = typename decltype(tag)::Type;
      EXPECT_EQ(descriptor<T>().m_typename, wire_name(to_string(type)));
    });
  }
}

}  // namespace
}  // namespace spatial_dynamics::dds
