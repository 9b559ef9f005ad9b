#include "identification/text_log.hpp"

#include <gtest/gtest.h>

#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

LogTable read_text(const std::string& text) {
  MemoryBytes bytes(text);
  return read_text_log("log", bytes, kTwoJoints);
}
std::string text_rejection(const std::string& text) {
  return message_of([&] { return read_text(text); });
}

const std::string kTextHeader = "time,position:shoulder,position:elbow,effort:elbow\n";

TEST(TextLogTest, ReadsATable) {
  const LogTable table =
      read_text(kTextHeader + "0,1,2,3\n\n0.1,4,5,6\r\n0.2,,8,9\n0.3,10,11,nan\n,1,2,3");
  EXPECT_EQ(table.rows(), 4U);
  EXPECT_EQ(table.incomplete(), 1U);  // without a time
  EXPECT_EQ(table.row(1)[0], 0.1);
  EXPECT_EQ(table.row(1)[2], 5);
  EXPECT_EQ(table.row(1)[8], 6);
  EXPECT_TRUE(std::isnan(table.row(1)[7]));  // no effort of the shoulder
  EXPECT_EQ(table.source.format, "CSV");
  EXPECT_EQ(table.effort_kind, EffortKind::kEffort);
  EXPECT_EQ(read_text("t,q0,q1,current0,current1\n0,1,2,3,4\n").effort_kind, EffortKind::kCurrent);
}

TEST(TextLogTest, ReadsLongLinesInPieces) {
  const std::string blanks(200'000, ' ');
  const LogTable table = read_text(kTextHeader + "0," + blanks + "1,2,3\n1,4,5," + blanks + "6");
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.row(1)[8], 6);
  EXPECT_EQ(text_rejection(kTextHeader + std::string((std::size_t{17} << 20U), ' ')),
            "log, line 2 is over 16 MiB long.");
}

TEST(TextLogTest, ReadsEchoAndCountsOtherLines) {
  const LogTable table = read_text(
      "1,0,base,shoulder,elbow,1,2,3,4,5,6\nA message was lost!!!\n\ttotal count change:1\n"
      "1,500000000,base,elbow,shoulder,7,8,9,10,11,12\n");
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.incomplete(), 2U);
  EXPECT_EQ(table.row(1)[0], 0.5);
  EXPECT_EQ(table.row(1)[1], 8);
  EXPECT_EQ(table.row(1)[7], 12);
  EXPECT_EQ(table.source.format, "ros2 topic echo");
}

TEST(TextLogTest, RejectsUselessEcho) {
  EXPECT_EQ(text_rejection("1,2,3,4,5,6\n"),
            "log has no column names, and no line of `ros2 topic echo --csv` for "
            "sensor_msgs/msg/JointState.");
  EXPECT_EQ(text_rejection("0,0,base,shoulder,elbow,1,2,3,4,5,6\n"),
            "log, line 1 has no time: its stamp is zero.");
  EXPECT_EQ(text_rejection("1,0,base,wheel,1,2,3\n"),
            "log has no position of a joint of this robot; is it another robot's?");
  std::string numbers;
  for (int i = 0; i < 20; ++i) numbers += "1,2,3,4,5,6\n";
  EXPECT_EQ(text_rejection(numbers),
            "log, line 11 is not a line of `ros2 topic echo --csv --full-length` for "
            "sensor_msgs/msg/JointState.");
}

TEST(TextLogTest, RejectsBytesThatAreNoText) {
  EXPECT_EQ(text_rejection(kTextHeader + "0,1,2,3\n0,1" + std::string(1, '\0') + ",2,3\n"),
            "log, line 3 has a zero byte; the file is damaged.");
}

}  // namespace
}  // namespace spatial_dynamics::test
