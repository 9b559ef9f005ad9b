#include "identification/mcap_log.hpp"

#include <gtest/gtest.h>

#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

/// 50 joint states in chunks of 20, between messages of another topic.
McapWriter mcap_recording(const std::string& compression, bool chunked = true) {
  McapWriter file(compression, chunked);
  const auto other = file.add_topic("/rosout", "rcl_interfaces/msg/Log");
  const auto states = file.add_topic("/joint_states");
  for (int i = 0; i < 50; ++i) {
    file.add_message(other, 1, "anything");
    file.add_message(states, 5, joint_state_cdr(recorded_state(i), i % 2 == 1));
    if (i % 20 == 19) file.end_chunk();
  }
  return file;
}

struct ReadMcap {
  LogTable table{2};
  std::string note;
};
ReadMcap read_bytes(const std::string& bytes) {
  const LogReadOptions options;
  JointStateTopics topics(kTwoJoints, options);
  MemoryBytes source(bytes);
  ReadMcap result;
  result.note = read_mcap(source, topics);
  result.table = topics.choose();
  return result;
}
std::string mcap_problem(const std::string& bytes) {
  return message_of<LogProblem>([&] { return read_bytes(bytes); });
}

TEST(McapLogTest, ReadsAllCompressionsAndMessagesWithoutChunks) {
  for (const char* compression : {"", "lz4", "zstd", "unchunked"}) {
    const bool chunked = compression != std::string("unchunked");
    McapWriter file = mcap_recording(chunked ? compression : "", chunked);
    file.end();
    const ReadMcap result = read_bytes(file.bytes);
    EXPECT_EQ(result.note, "") << compression;
    ASSERT_EQ(result.table.rows(), 50U) << compression;
    for (int i = 0; i < 50; ++i) {
      const double* const row = result.table.row(static_cast<std::size_t>(i));
      EXPECT_NEAR(row[0], 0.01 * i, 1e-9);
      EXPECT_EQ(row[1], std::cos(0.01 * i));
      EXPECT_EQ(row[2], std::sin(0.01 * i));
      EXPECT_EQ(row[7], 3.0 * i);
    }
  }
}

TEST(McapLogTest, ReadsWhatIsBeforeACutAndReportsIt) {
  McapWriter file = mcap_recording("zstd");
  file.end();
  const std::string& whole = file.bytes;
  // The footer and the end of the data section may be missing.
  std::size_t readable = 0, notes = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      const ReadMcap result = read_bytes(whole.substr(0, size));
      ++readable;
      if (result.note.empty()) continue;
      ++notes;
      EXPECT_EQ(result.note.substr(0, 11), "is cut off ") << size;
      EXPECT_EQ(result.table.rows() % 20, result.table.rows() == 50 ? 10U : 0U) << size;
    } catch (const LogProblem& problem) {
      EXPECT_NE(std::string(problem.what()), "") << size;  // no message is before the cut
    }
  }
  EXPECT_GT(readable, 0U);
  EXPECT_GT(notes, 0U);
  McapWriter open = mcap_recording("lz4");
  open.end_chunk();
  EXPECT_EQ(read_bytes(open.bytes).note,
            "is cut off between two records; the 50 messages before that are read");
  EXPECT_EQ(read_bytes(open.bytes.substr(0, open.bytes.size() - 60)).note,
            "is cut off within a chunk; the 40 messages before that are read");
}

TEST(McapLogTest, RejectsAWrongChecksum) {
  McapWriter file("zstd");
  const auto states = file.add_topic("/s");
  file.add_message(states, 5, joint_state_cdr(recorded_state(1)));
  file.end_chunk(-1, 1);
  EXPECT_EQ(mcap_problem(file.bytes),
            "is damaged: the checksum of chunk 1 does not match its content");
}

TEST(McapLogTest, RejectsFalseSizesWithoutAllocatingThem) {
  for (const char* compression : {"", "lz4", "zstd"}) {
    for (const std::int64_t size : {std::int64_t{1} << 29, std::int64_t{10}}) {
      McapWriter file(compression);
      const auto states = file.add_topic("/s");
      file.add_message(states, 5, joint_state_cdr(recorded_state(1)));
      file.end_chunk(size);
      const std::string problem = mcap_problem(file.bytes);
      const std::string claim =
          "is damaged: chunk 1 claims " + std::to_string(size) + " bytes but holds ";
      EXPECT_EQ(problem.substr(0, claim.size()), claim);
    }
    McapWriter file(compression);
    (void)file.add_topic("/s");
    file.end_chunk(std::int64_t{1} << 50);
    EXPECT_EQ(mcap_problem(file.bytes),
              "has a chunk that claims 1125899906842624 bytes; at most 1 GiB is read");
  }
  McapWriter file("", false);
  file.bytes += std::string(1, '\x05') + McapWriter::number<std::uint64_t>(std::uint64_t{1} << 60U);
  EXPECT_EQ(mcap_problem(file.bytes),
            "has a record that claims 1152921504606846976 bytes; at most 1 GiB is read");
  // An attachment is skipped, whatever its size.
  McapWriter attached("", false);
  attached.bytes +=
      std::string(1, '\x09') + McapWriter::number<std::uint64_t>(std::uint64_t{1} << 40U) + "x";
  EXPECT_EQ(mcap_problem(attached.bytes), "has no topic of type sensor_msgs/msg/JointState");
}

TEST(McapLogTest, RejectsDamagedRecords) {
  EXPECT_EQ(mcap_problem(""), "is not an MCAP file");
  EXPECT_EQ(mcap_problem("\x89MCAP1\r\n"), "is not an MCAP file");
  McapWriter file("", false);
  const std::string start = file.bytes;
  EXPECT_EQ(mcap_problem(start + McapWriter::record(0x04, "x")), "has a damaged record (opcode 4)");
  EXPECT_EQ(mcap_problem(start + McapWriter::record(0x06, "x")), "has a damaged record (chunk 1)");
  EXPECT_EQ(mcap_problem(start + McapWriter::record(0x00, "x")), "has a damaged record (opcode 0)");
  file.add_message(9, 0, "");
  EXPECT_EQ(mcap_problem(file.bytes), "is damaged: a message is on the unknown channel 9");
  McapWriter odd("bz2");
  (void)odd.add_topic("/s");
  odd.end_chunk();
  EXPECT_EQ(mcap_problem(odd.bytes),
            "is damaged: chunk 1 has the compression 'bz2'; only zstd, lz4 and none are read");
}

// A file with any one byte changed is read or rejected, never more.
TEST(McapLogTest, SurvivesEveryChangedByte) {
  for (const char* compression : {"", "lz4", "zstd"}) {
    McapWriter file(compression);
    const auto states = file.add_topic("/s");
    file.add_message(states, 5, joint_state_cdr(recorded_state(1)));
    file.end();
    for (std::size_t i = 0; i < file.bytes.size(); ++i) {
      for (const int change : {1, 128, 255}) {
        std::string changed = file.bytes;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const std::string problem = mcap_problem(changed);
        EXPECT_EQ(problem.find('\0'), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
