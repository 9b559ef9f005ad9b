#include "identification/joint_state_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/recordings.hpp"

namespace spatial_dynamics::test {
namespace {

const RecordedState kState{
    1700000000.123456789, {"shoulder", "elbow"}, {0.1, -0.2}, {1.5, 2.5}, {30, 4e-300}};

TEST(JointStateMessageTest, DecodesBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    JointStateMessage message;
    EXPECT_EQ(decode_joint_state(joint_state_cdr(kState, big_endian), message), "");
    EXPECT_NEAR(static_cast<double>(message.stamp) * 1e-9, kState.stamp, 1e-6);
    EXPECT_EQ(message.name, kState.name);
    EXPECT_EQ(message.position, kState.position);
    EXPECT_EQ(message.velocity, kState.velocity);
    EXPECT_EQ(message.effort, kState.effort);
  }
}

// Bytes that Cyclone DDS wrote: stamp 1 s 2 ns, frame "b", names "a" and "bcd", positions 1 and 2,
// no velocities, effort 3.
TEST(JointStateMessageTest, DecodesKnownBytes) {
  const unsigned char bytes[] = {
      0,   1,   0, 0, 1, 0,    0,    0,   2,   0, 0, 0, 2, 0,   0,
      0,   'b', 0, 0, 0, 2,    0,    0,   0,   2, 0, 0, 0, 'a', 0,
      0,   0,   4, 0, 0, 0,    'b',  'c', 'd', 0, 2, 0, 0, 0,   /* aligned to 8 */ 0,
      0,   0,   0, 0, 0, 0xF0, 0x3F, 0,   0,   0, 0, 0, 0, 0,   0x40,
      0,   0,   0, 0, 1, 0,    0,    0,   0,   0, 0, 0, 0, 0,   0x08,
      0x40};
  JointStateMessage message;
  ASSERT_EQ(decode_joint_state({reinterpret_cast<const char*>(bytes), sizeof(bytes)}, message), "");
  EXPECT_EQ(message.stamp, 1'000'000'002);
  EXPECT_EQ(message.name, (std::vector<std::string>{"a", "bcd"}));
  EXPECT_EQ(message.position, (std::vector<double>{1, 2}));
  EXPECT_TRUE(message.velocity.empty());
  EXPECT_EQ(message.effort, (std::vector<double>{3}));
}

TEST(JointStateMessageTest, RejectsEveryCutMessage) {
  const std::string bytes = joint_state_cdr(kState);
  JointStateMessage message;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(decode_joint_state(bytes.substr(0, size), message), "") << size;
  }
  EXPECT_EQ(decode_joint_state("", message), "it is empty");
  EXPECT_EQ(decode_joint_state(bytes.substr(0, bytes.size() - 1), message),
            "it ends within its efforts");
}

TEST(JointStateMessageTest, RejectsOtherEncodingsAndFalseLengths) {
  std::string bytes = joint_state_cdr(kState);
  JointStateMessage message;
  bytes[1] = 3;  // a parameter list
  EXPECT_EQ(decode_joint_state(bytes, message), "its encoding is not CDR");
  bytes[1] = 1;
  bytes[4 + 8 + 3] = '\x7F';  // the frame's length
  EXPECT_EQ(decode_joint_state(bytes, message), "it ends within its header");
  bytes = joint_state_cdr({0.0, {}, {}, {}, {}});
  bytes[bytes.size() - 9] = '\x7F';  // the number of positions
  EXPECT_EQ(decode_joint_state(bytes, message), "it ends within its positions");
}

TEST(JointStateMessageTest, ParsesALineOfEcho) {
  JointStateMessage message;
  ASSERT_TRUE(
      parse_echo_line("12,500000000,base,shoulder,elbow,0.1,-2e-05,1.0,nan,3.0,4.0\r", message));
  EXPECT_EQ(message.stamp, 12'500'000'000);
  EXPECT_EQ(message.name, (std::vector<std::string>{"shoulder", "elbow"}));
  EXPECT_EQ(message.position, (std::vector<double>{0.1, -2e-05}));
  EXPECT_EQ(message.velocity[0], 1.0);
  EXPECT_TRUE(std::isnan(message.velocity[1]));
  EXPECT_EQ(message.effort, (std::vector<double>{3, 4}));
  // Without frame, velocities and efforts.
  ASSERT_TRUE(parse_echo_line("12,5,,shoulder,0.1,,", message));
  EXPECT_EQ(message.position, (std::vector<double>{0.1}));
  EXPECT_TRUE(message.velocity.empty() && message.effort.empty());
  // Velocities are missing, efforts are not.
  ASSERT_TRUE(parse_echo_line("12,5,,a,b,1,2,,3,4", message));
  EXPECT_TRUE(message.velocity.empty());
  EXPECT_EQ(message.effort, (std::vector<double>{3, 4}));
}

TEST(JointStateMessageTest, RejectsOtherLines) {
  JointStateMessage message;
  for (const char* line :
       {"", "A message was lost!!!", "12,5,base", "12,5,base,,,,", "x,5,base,a,1,2,3",
        "12,5,base,a,1,2,3,4", "12,5,base,a,b,1,2,3,4,5", "12,-5,base,a,1,2,3",
        "12,5,base,a,b,1,...,2,...,3,...", "1e300,5,base,a,1,2,3"}) {
    EXPECT_FALSE(parse_echo_line(line, message)) << line;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
