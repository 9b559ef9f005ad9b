// Recordings as rosbag2 writes them, made independently of their readers: JointState in CDR, MCAP
// and SQLite.
#pragma once

#include <lz4frame.h>
#include <sqlite3.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spatial_dynamics::test {

struct RecordedState {
  double stamp = 0.0;  ///< s
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};

/// A message sensor_msgs/msg/JointState in XCDR1 with its encapsulation.
inline std::string joint_state_cdr(const RecordedState& state, bool big_endian = false) {
  std::string out;
  const auto put = [&](const auto& value) {
    out.resize((out.size() + sizeof(value) - 1) / sizeof(value) * sizeof(value), '\0');
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    if (big_endian) std::reverse(bytes, bytes + sizeof(value));
    out.append(bytes, sizeof(value));
  };
  const auto put_text = [&](const std::string& text) {
    put(static_cast<std::uint32_t>(text.size() + 1));
    out.append(text.c_str(), text.size() + 1);
  };
  const auto nanoseconds = static_cast<std::int64_t>(state.stamp * 1e9 + 0.5);
  put(static_cast<std::int32_t>(nanoseconds / 1'000'000'000));
  put(static_cast<std::uint32_t>(nanoseconds % 1'000'000'000));
  put_text("base_link");
  put(static_cast<std::uint32_t>(state.name.size()));
  for (const std::string& name : state.name) put_text(name);
  for (const std::vector<double>* const values :
       {&state.position, &state.velocity, &state.effort}) {
    put(static_cast<std::uint32_t>(values->size()));
    for (const double value : *values) put(value);
  }
  return std::string(big_endian ? "\0\0\0\0" : "\0\1\0\0", 4) + out;
}

inline std::string compressed_zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

inline std::string compressed_lz4(const std::string& bytes) {
  std::string out(LZ4F_compressFrameBound(bytes.size(), nullptr), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), nullptr));
  return out;
}

/// Writes the records of an MCAP file.
class McapWriter {
 public:
  /// "", "lz4" or "zstd"; `chunked` false writes messages without chunks.
  explicit McapWriter(std::string compression = "", bool chunked = true)
      : compression_(std::move(compression)), chunked_(chunked) {
    bytes = "\x89MCAP0\r\n" + record(0x01, text("ros2") + text("test"));
  }

  /// Announces a topic; returns its channel.
  std::uint16_t add_topic(const std::string& name,
                          const std::string& type = "sensor_msgs/msg/JointState",
                          const std::string& encoding = "cdr") {
    const auto id = ++topics_;
    open() +=
        record(0x03, number<std::uint16_t>(id) + text(type) + text("ros2msg") + text("definition"));
    open() += record(0x04, number<std::uint16_t>(id) + number<std::uint16_t>(id) + text(name) +
                               text(encoding) + text(""));
    return id;
  }
  /// `received` in ns.
  void add_message(std::uint16_t channel, std::uint64_t received, const std::string& data) {
    open() += record(0x05, number(channel) + number<std::uint32_t>(0) + number(received) +
                               number(received) + data);
  }
  /// Ends the chunk. Sizes and checksum can be falsified.
  void end_chunk(std::int64_t claimed_size = -1, std::uint32_t checksum_error = 0) {
    if (chunk_.empty()) return;
    const std::string packed = compression_ == "zstd"  ? compressed_zstd(chunk_)
                               : compression_ == "lz4" ? compressed_lz4(chunk_)
                                                       : chunk_;
    const std::uint64_t size =
        claimed_size < 0 ? chunk_.size() : static_cast<std::uint64_t>(claimed_size);
    bytes += record(0x06, number<std::uint64_t>(0) + number<std::uint64_t>(0) + number(size) +
                              number(checksum(chunk_) + checksum_error) + text(compression_) +
                              number<std::uint64_t>(packed.size()) + packed);
    // an index of the chunk's messages, which readers of the whole file skip
    bytes += record(0x07, number<std::uint16_t>(1) + number<std::uint32_t>(0));
    chunk_.clear();
  }
  void end() {
    end_chunk();
    bytes += record(0x0F, number<std::uint32_t>(0)) +
             record(0x02, number<std::uint64_t>(0) + number<std::uint64_t>(0) +
                              number<std::uint32_t>(0)) +
             "\x89MCAP0\r\n";
  }

  template <typename T>
  static std::string number(T value) {
    std::string out;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      out += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU);
    }
    return out;
  }
  static std::string text(const std::string& value) {
    return number(static_cast<std::uint32_t>(value.size())) + value;
  }
  static std::string record(unsigned char opcode, const std::string& content) {
    return std::string(1, static_cast<char>(opcode)) + number<std::uint64_t>(content.size()) +
           content;
  }

  std::string bytes;  ///< the file so far

 private:
  std::string& open() { return chunked_ ? chunk_ : bytes; }

  /// Bit by bit: reflected polynomial 0x04C11DB7.
  static std::uint32_t checksum(const std::string& data) {
    std::uint32_t c = ~0U;
    for (const char byte : data) {
      c ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) c = (c >> 1U) ^ ((c & 1U) * 0xEDB88320U);
    }
    return ~c;
  }

  std::string compression_, chunk_;
  bool chunked_;
  std::uint16_t topics_ = 0;
};

/// Creates rosbag2's tables in a file and fills them.
class SqliteWriter {
 public:
  explicit SqliteWriter(const std::string& path, int page_size = 4096) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK)
      throw std::runtime_error("no database");
    execute("PRAGMA page_size = " + std::to_string(page_size));
    execute(
        "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, "
        "serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
        "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp "
        "INTEGER "
        "NOT NULL, data BLOB NOT NULL);"
        "CREATE INDEX timestamp_idx ON messages (timestamp ASC); BEGIN");
  }
  ~SqliteWriter() {
    execute("COMMIT");
    sqlite3_close(database_);
  }
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  int add_topic(const std::string& name, const std::string& type = "sensor_msgs/msg/JointState") {
    execute("INSERT INTO topics(name, type, serialization_format, offered_qos_profiles) VALUES('" +
            name + "', '" + type + "', 'cdr', '')");
    return ++topics_;
  }
  void add_message(int topic, std::int64_t received, const std::string& data) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database_, "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)",
                       -1, &statement, nullptr);
    sqlite3_bind_int(statement, 1, topic);
    sqlite3_bind_int64(statement, 2, received);
    sqlite3_bind_blob(statement, 3, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    const int result = sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (result != SQLITE_DONE) throw std::runtime_error("a message was not written");
  }
  void execute(const std::string& text) {
    if (sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(database_));
    }
  }

 private:
  sqlite3* database_ = nullptr;
  int topics_ = 0;
};

}  // namespace spatial_dynamics::test
