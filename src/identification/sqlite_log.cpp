#include "identification/sqlite_log.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "identification/log_bytes.hpp"
#include "identification/log_problem.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kLargestValue = 1 << 26U;             // bytes
constexpr std::size_t kLargestMessage = 1U << 26U;  // bytes, decompressed
constexpr int kProgressSteps = 100'000;             // of SQLite's virtual machine
constexpr std::size_t kMostIdleSteps = 20'000;      // calls without a row: a table without end

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

/// A statement whose rows are read one after the other.
class Statement {
 public:
  Statement(sqlite3* database, const char* text) : database_(database) {
    if (sqlite3_prepare_v2(database, text, -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  [[nodiscard]] bool next() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
    return result == SQLITE_ROW;
  }
  [[nodiscard]] std::int64_t integer(int column) {
    return sqlite3_column_int64(statement_, column);
  }
  /// Valid until the next row.
  [[nodiscard]] std::string_view bytes(int column) {
    const void* const data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
  }

 private:
  [[noreturn]] void fail() const {
    throw LogProblem("can't be read as a recording: " + in_quotes(sqlite3_errmsg(database_)));
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// A file may hold a view or a virtual table of that name; only ordinary tables are read.
void require_table(sqlite3* database, const std::string& name) {
  Statement query(database,
                  ("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + name +
                   "' AND sql LIKE 'CREATE TABLE%'")
                      .c_str());
  if (!query.next() || query.integer(0) != 1) {
    throw LogProblem("is not a recording of rosbag2: it has no table " + in_quotes(name));
  }
}

void read_database(sqlite3* database, JointStateTopics& topics,
                   const std::function<void(double share)>& progress) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLargestValue);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  std::size_t idle = 0;
  sqlite3_progress_handler(
      database, kProgressSteps,
      [](void* steps) { return ++*static_cast<std::size_t*>(steps) > kMostIdleSteps ? 1 : 0; },
      &idle);
  require_table(database, "topics");
  require_table(database, "messages");
  std::unordered_map<std::int64_t, std::size_t> wanted;
  Statement names(database, "SELECT id, name, type, serialization_format FROM topics");
  while (names.next()) {
    const std::size_t topic = topics.topic(std::string(names.bytes(1)), std::string(names.bytes(2)),
                                           std::string(names.bytes(3)));
    if (topics.wanted(topic)) wanted[names.integer(0)] = topic;
  }
  if (wanted.empty()) return;  // the choice of the topic gives the reason
  Statement size(database, "SELECT max(rowid) FROM messages");
  const double last = size.next() ? std::max(1.0, static_cast<double>(size.integer(0))) : 1.0;
  Statement messages(database,
                     "SELECT topic_id, timestamp, data, rowid FROM messages ORDER BY rowid");
  while (messages.next()) {
    idle = 0;
    const auto topic = wanted.find(messages.integer(0));
    if (topic == wanted.end()) continue;
    std::string_view data = messages.bytes(2);
    std::string unpacked;
    if (data.substr(0, kZstdMagic.size()) == kZstdMagic) {
      try {
        data = unpacked = decompress_zstd_up_to(data, kLargestMessage);
      } catch (const LogProblem& error) {
        throw LogProblem(std::string("has a compressed message that ") + error.what());
      }
    }
    topics.message(topic->second, messages.integer(1), data);
    progress(static_cast<double>(messages.integer(3)) / last);
  }
}

}  // namespace

void read_sqlite_file(const std::string& path, JointStateTopics& topics,
                      const std::function<void(double share)>& progress) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const Database database(opened);
  if (result != SQLITE_OK) {
    throw LogProblem(std::string("can't be read: ") + sqlite3_errstr(result));
  }
  read_database(database.get(), topics, progress);
}

void read_sqlite_bytes(std::string_view bytes, JointStateTopics& topics) {
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
  const Database database(opened);
  if (result != SQLITE_OK) throw LogProblem(sqlite3_errstr(result));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  // SQLite keeps and frees its own copy.
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, bytes.data(), bytes.size());
  if (sqlite3_deserialize(database.get(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) !=
      SQLITE_OK) {
    throw LogProblem("can't be read as a recording");
  }
  read_database(database.get(), topics, [](double) {});
}

}  // namespace spatial_dynamics
