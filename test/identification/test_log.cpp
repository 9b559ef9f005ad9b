#include "spatial_dynamics/identification/log.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include "cli/robot_file.hpp"
#include "identification/recording_folder.hpp"
#include "identification/two_joints.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::test {
namespace {

std::string rejection(const std::string& text) {
  const TemporaryFile file(text);
  try {
    (void)read_log(file.path(), kTwoJoints);
  } catch (const LogError& error) {
    return error.what();
  }
  return {};
}

TEST(RobotLogTest, ReadsColumnsInAnyOrderAndSkipsIncompleteRows) {
  const TemporaryFile file(
      "\xEF\xBB\xBF\"effort:elbow\",other, position:elbow,time,position:shoulder\r\n"
      "1,x,2,0.0,3\r\n"
      "1,x,,0.1,3\n"
      "4,x,5,0.2,6\n"
      "4,x,5,0.2,6\n"
      "\n"
      "7,x,nan,0.3,9\n");
  const RobotLog log = read_log(file.path(), kTwoJoints);
  EXPECT_EQ(log.time, (std::vector<double>{0.0, 0.2}));
  EXPECT_EQ(log.exclusions.incomplete + log.exclusions.repeated, 3U);
  EXPECT_EQ(log.q, (MatrixXd(2, 2) << 3, 6, 2, 5).finished());
  EXPECT_EQ(log.effort.row(1), (MatrixXd(1, 2) << 1, 4).finished());
  EXPECT_EQ(log.has_effort, (std::vector<bool>{false, true}));
  EXPECT_EQ(log.v.size(), 0);
}

TEST(RobotLogTest, ErrorsNameTheLineOrTheMissingColumn) {
  const std::string header = "time,position:shoulder,position:elbow,effort:elbow\n";
  EXPECT_NE(rejection("position:shoulder,position:elbow\n").find("'time'"), std::string::npos);
  EXPECT_NE(rejection("").find("is empty"), std::string::npos) << rejection("");
  EXPECT_NE(rejection("time,position:elbow,effort:elbow\n").find("'position:shoulder'"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow,velocity:elbow,effort:elbow\n")
                .find("'velocity:shoulder'"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow\n").find("effort column"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow,tau:elbow,effort:elbow\n").find("two"),
            std::string::npos);
  EXPECT_NE(rejection(header + "0,1,2\n").find("line 2 has 3 fields instead of 4"),
            std::string::npos);
  EXPECT_NE(rejection(header + "0,1,2,3\n1,1,1;5,3\n").find("line 3: '1;5'"), std::string::npos);
  EXPECT_NE(
      rejection(header + "1,1,2,3\n0.5,1,2,3\n").find("line 3: the time 0.5 s comes after 1 s"),
      std::string::npos);
  try {
    (void)read_log("/no/such/log.csv", kTwoJoints);
    FAIL();
  } catch (const LogError& error) {
    EXPECT_EQ(std::string(error.what()),
              "/no/such/log.csv can't be read: No such file or directory.");
  }
}

/// 30 states from `begin` s on in MCAP.
std::string mcap_bytes(double begin, const char* topic = "/joint_states") {
  McapWriter file("zstd");
  const auto channel = file.add_topic(topic);
  for (int i = 0; i < 30; ++i) {
    file.add_message(channel, 5, joint_state_cdr(recorded_state(i, begin)));
  }
  file.end();
  return file.bytes;
}

void write_sqlite(const std::string& path) {
  SqliteWriter file(path);
  const int topic = file.add_topic("/joint_states");
  for (int i = 0; i < 30; ++i) file.add_message(topic, 5, joint_state_cdr(recorded_state(i)));
}

void expect_recorded(const RobotLog& log, const std::string& format) {
  ASSERT_EQ(log.size(), 30) << format;
  for (Index i = 0; i < 30; ++i) {
    const RecordedState state = recorded_state(static_cast<int>(i));
    EXPECT_NEAR(log.time[to_size(i)], 0.01 * static_cast<double>(i), 1e-8);
    EXPECT_NEAR(log.q(0, i), state.position[2], 1e-12);
    EXPECT_NEAR(log.q(1, i), state.position[0], 1e-12);
    EXPECT_NEAR(log.v(0, i), state.velocity[2], 1e-12);
    EXPECT_NEAR(log.effort(1, i), state.effort[0], 1e-12);
  }
  EXPECT_EQ(log.a.size(), 0);
  ASSERT_EQ(log.sources.size(), 1U);
  EXPECT_EQ(log.sources[0].format, format);
  EXPECT_EQ(log.sources[0].rows, 30U);
}

TEST(RobotLogTest, RecognisesEachFormatByItsContent) {
  const RecordingFolder folder;
  expect_recorded(read_log(folder.write("a", mcap_bytes(100.0)), kTwoJoints), "MCAP");
  expect_recorded(read_log(folder.write("b", compressed_zstd(mcap_bytes(100.0))), kTwoJoints),
                  "MCAP");
  write_sqlite(folder.path() + "/c");
  expect_recorded(read_log(folder.path() + "/c", kTwoJoints), "SQLite");
  expect_recorded(
      read_log(folder.write("d", compressed_zstd(text_of(folder.path() + "/c"))), kTwoJoints),
      "SQLite");
  std::string echo;
  for (int i = 0; i < 30; ++i) {
    const RecordedState state = recorded_state(i);
    echo += "100," + std::to_string(10'000'000 * i) + ",";
    for (const std::string& name : state.name) echo += "," + name;
    for (const auto* values : {&state.position, &state.velocity, &state.effort}) {
      for (const double value : *values) echo += "," + number_text(value);
    }
    echo += "\n";
  }
  expect_recorded(read_log(folder.write("e", echo), kTwoJoints), "ros2 topic echo");
}

TEST(RobotLogTest, ReadsTheFolderOfARecordingAsOneLog) {
  const RecordingFolder folder;
  folder.write("bag_0.mcap", mcap_bytes(100.0));
  folder.write("bag_1.mcap", mcap_bytes(100.3));
  folder.write("metadata.yaml", "r:\n  relative_file_paths:\n    - bag_0.mcap\n    - bag_1.mcap\n");
  const RobotLog log = read_log(folder.path(), kTwoJoints);
  EXPECT_EQ(log.size(), 60);
  EXPECT_EQ(log.segments.size(), 1U);
  EXPECT_EQ(log.sources[0].topic, "/joint_states");
}

TEST(RobotLogTest, ReadsSeveralLogsAsSegments) {
  const RecordingFolder folder;
  const std::string first = folder.write("a", mcap_bytes(100.0)),
                    second = folder.write("b", mcap_bytes(50.0));
  double share = 0.0;
  const RobotLog log = read_logs({first, second}, kTwoJoints, {}, [&](double value) {
    EXPECT_GE(value, share);
    share = value;
  });
  EXPECT_EQ(share, 1.0);
  ASSERT_EQ(log.size(), 60);
  ASSERT_EQ(log.segments.size(), 2U);
  EXPECT_EQ(log.segments[1].first, 30);
  EXPECT_EQ(log.segments[1].source, 1U);
  EXPECT_NEAR(log.time[30] - log.time[29], 1.0, 1e-9);
  EXPECT_EQ(log.q.col(0), log.q.col(30));
}

TEST(RobotLogTest, ReadsTheTopicThatIsAskedFor) {
  const RecordingFolder folder;
  const std::string path = folder.write("a.mcap", mcap_bytes(100.0, "/left/joint_states"));
  EXPECT_EQ(read_logs({path}, kTwoJoints, {"/left/joint_states"}).size(), 30);
  EXPECT_EQ(
      message_of([&] { return read_logs({path}, kTwoJoints, {"/right/joint_states"}); }),
      path + " has no topic '/right/joint_states'; its joint states are on '/left/joint_states'.");
}

TEST(RobotLogTest, ReadsWhatACutRecordingHoldsAndReportsTheCut) {
  McapWriter whole("lz4");
  const auto channel = whole.add_topic("/s");
  for (int i = 0; i < 40; ++i) {
    whole.add_message(channel, 5, joint_state_cdr(recorded_state(i)));
    if (i % 10 == 9) whole.end_chunk();
  }
  const RecordingFolder folder;
  const std::string path = folder.write("a.mcap", whole.bytes.substr(0, whole.bytes.size() - 100));
  const RobotLog log = read_log(path, kTwoJoints);
  EXPECT_EQ(log.size(), 30);
  EXPECT_EQ(log.sources[0].note,
            path + " is cut off within a chunk; the 30 messages before that are read.");
}

TEST(RobotLogTest, RejectsOtherFilesInOneSentence) {
  const RecordingFolder folder;
  const auto rejects = [&](const std::string& bytes) {
    const std::string path = folder.write("x", bytes);
    const std::string message = message_of([&] { return read_log(path, kTwoJoints); });
    return message.substr(0, path.size()) == path ? message.substr(path.size())
                                                  : "other: " + message;
  };
  EXPECT_EQ(rejects(std::string("\x7F"
                                "ELF\0\0",
                                6)),
            " is neither a table nor a recording of rosbag2 (MCAP or SQLite).");
  EXPECT_EQ(rejects("#ROSBAG V2.0\n"), " is a recording of ROS 1; convert it to one of ROS 2.");
  EXPECT_EQ(rejects(compressed_zstd("time,position")),
            " is compressed, but not a recording of rosbag2 (MCAP or SQLite).");
  EXPECT_EQ(rejects("\x28\xB5\x2F\xFD damaged"), " is damaged (zstd).");
  EXPECT_EQ(rejects(mcap_bytes(1.0).substr(0, 60)),
            " has no topic of type sensor_msgs/msg/JointState.");
  EXPECT_EQ(rejects("SQLite format 3" + std::string(1, '\0')).substr(0, 34),
            " can't be read as a recording: 'fi");
  EXPECT_EQ(rejects("1,2,3\n"),
            " has no column names, and no line of `ros2 topic echo --csv` for "
            "sensor_msgs/msg/JointState.");
  EXPECT_EQ(message_of([&] { return read_log(folder.path(), kTwoJoints); }),
            folder.path() + " is a folder without a recording of rosbag2 (MCAP or SQLite).");
}

}  // namespace
}  // namespace spatial_dynamics::test
