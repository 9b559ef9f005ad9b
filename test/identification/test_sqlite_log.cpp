#include "identification/sqlite_log.hpp"

#include <gtest/gtest.h>

#include "cli/robot_file.hpp"
#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

LogTable read_database(const std::string& path, bool from_memory = false) {
  const LogReadOptions options;
  JointStateTopics topics(kTwoJoints, options);
  if (from_memory) {
    read_sqlite_bytes(text_of(path), topics);
  } else {
    read_sqlite_file(path, topics, [](double share) { EXPECT_TRUE(share > 0.0 && share <= 1.0); });
  }
  return topics.choose();
}
std::string sqlite_problem(const std::string& path, bool from_memory = false) {
  return message_of<LogProblem>([&] { return read_database(path, from_memory); });
}

void fill_database(SqliteWriter& file, bool compressed = false) {
  const int other = file.add_topic("/rosout", "rcl_interfaces/msg/Log");
  const int states = file.add_topic("/joint_states");
  for (int i = 0; i < 50; ++i) {
    file.add_message(other, 1, "anything");
    const std::string message = joint_state_cdr(recorded_state(i));
    file.add_message(states, 5, compressed ? compressed_zstd(message) : message);
  }
}

TEST(SqliteLogTest, ReadsFilesBytesAndCompressedMessages) {
  for (const bool compressed : {false, true}) {
    const TemporaryFile file("");
    {
      SqliteWriter writer(file.path());
      fill_database(writer, compressed);
    }
    for (const bool from_memory : {false, true}) {
      const LogTable table = read_database(file.path(), from_memory);
      ASSERT_EQ(table.rows(), 50U);
      for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_NEAR(table.row(i)[0], 0.01 * static_cast<double>(i), 1e-9);
        EXPECT_EQ(table.row(i)[7], 3.0 * static_cast<double>(i));
      }
    }
  }
}

TEST(SqliteLogTest, RejectsOtherDatabases) {
  const TemporaryFile file("");
  {
    SqliteWriter writer(file.path());
    writer.execute("DROP TABLE messages");
  }
  EXPECT_EQ(sqlite_problem(file.path()),
            "is not a recording of rosbag2: it has no table 'messages'");
  // A view could have any number of rows.
  {
    const TemporaryFile view("");
    {
      SqliteWriter writer(view.path());
      writer.execute(
          "DROP TABLE messages; CREATE VIEW messages AS WITH RECURSIVE n(id) AS (SELECT 1 UNION "
          "ALL "
          "SELECT id + 1 FROM n) SELECT id, 1 AS topic_id, 0 AS timestamp, x'00' AS data FROM n");
    }
    EXPECT_EQ(sqlite_problem(view.path()),
              "is not a recording of rosbag2: it has no table 'messages'");
  }
}

TEST(SqliteLogTest, RejectsACutFile) {
  const TemporaryFile file("");
  {
    SqliteWriter writer(file.path());
    fill_database(writer);
  }
  const std::string bytes = text_of(file.path());
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{100}, bytes.size() / 2, bytes.size() - 4096}) {
    const TemporaryFile cut(bytes.substr(0, size));
    for (const bool from_memory : {false, true}) {
      const std::string problem = sqlite_problem(cut.path(), from_memory);
      EXPECT_NE(problem, "") << size;
    }
  }
}

TEST(SqliteLogTest, RejectsADamagedCompressedMessage) {
  const TemporaryFile file("");
  {
    SqliteWriter writer(file.path());
    const int states = writer.add_topic("/s");
    writer.add_message(states, 1,
                       compressed_zstd(joint_state_cdr(recorded_state(1))).substr(0, 30));
  }
  EXPECT_EQ(sqlite_problem(file.path()), "has a compressed message that is damaged (zstd)");
}

TEST(SqliteLogTest, SurvivesChangedBytes) {
  const TemporaryFile file("");
  {
    SqliteWriter writer(file.path());
    fill_database(writer);
  }
  const std::string bytes = text_of(file.path());
  for (std::size_t i = 0; i < bytes.size(); i += 37) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x81);
    const LogReadOptions options;
    JointStateTopics topics(kTwoJoints, options);
    const std::string problem = message_of<LogProblem>([&] {
      read_sqlite_bytes(changed, topics);
      return topics.choose();
    });
    for (const char c : problem) EXPECT_TRUE(c >= ' ' && c <= '~') << problem;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
