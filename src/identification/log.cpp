#include "spatial_dynamics/identification/log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "identification/bag_folder.hpp"
#include "identification/log_bytes.hpp"
#include "identification/log_problem.hpp"
#include "identification/log_table.hpp"
#include "identification/mcap_log.hpp"
#include "identification/sqlite_log.hpp"
#include "identification/text_log.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kLargestSqlite = std::size_t{1} << 30U;  // bytes, decompressed in memory
constexpr std::string_view kRos1Magic = "#ROSBAG";

using ReadProgress = std::function<void(double share)>;

/// Closes a descriptor at the end of the scope.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(path == kStandardOutput ? STDIN_FILENO
                                            : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw LogError(path + " can't be read: " + std::generic_category().message(errno) + ".");
    }
  }
  ~OpenFile() {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void throw_named(const std::string& file, const LogProblem& problem) {
  throw LogError(file + " " + problem.what() + ".");
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// The rest of the bytes.
std::string read_rest(ByteSource& bytes) {
  std::string all;
  if (!bytes.read_exactly(kLargestSqlite + 1, all)) return all;
  throw LogProblem("is larger than 1 GiB; decompress it with zstd -d");
}

/// One recording of rosbag2, which may have several files.
class RecordingReader {
 public:
  RecordingReader(const std::vector<ScalarCoordinate>& coordinates, const LogReadOptions& options)
      : topics_(coordinates, options) {}

  static bool begins_like_one(std::string_view magic) {
    const auto begins = [&](std::string_view with) { return magic.substr(0, with.size()) == with; };
    return begins(kMcapMagic) || begins(kSqliteMagic) || begins(kZstdMagic);
  }

  /// `bytes` are the content of the file `path`, which messages name `name`. Throws LogError.
  void read(const std::string& path, const std::string& name, PeekableBytes& bytes,
            const ReadProgress& progress) {
    try {
      if (bytes.peek(kZstdMagic.size()) == kZstdMagic) {
        ZstdBytes unpacked(bytes);
        PeekableBytes content(unpacked);
        read_content(kStandardOutput, content, progress, name);
      } else {
        read_content(path, bytes, progress, name);
      }
    } catch (const LogProblem& problem) {
      throw_named(name, problem);
    }
  }

  LogTable finish(const std::string& name) {
    LogTable table = [&] {
      try {
        return topics_.choose();
      } catch (const LogProblem& problem) {
        throw_named(name, problem);
      }
    }();
    table.source.file = name;
    table.source.format = format_;
    table.source.note = note_;
    return table;
  }

 private:
  /// `file` can be opened again, unless it is "-".
  void read_content(std::string_view file, PeekableBytes& bytes, const ReadProgress& progress,
                    const std::string& name) {
    const std::string_view magic = bytes.peek(kSqliteMagic.size());
    if (magic.substr(0, kMcapMagic.size()) == kMcapMagic) {
      format_ = "MCAP";
      const std::string note = read_mcap(bytes, topics_);
      if (!note.empty()) note_ = name + " " + note + ".";
    } else if (magic == kSqliteMagic) {
      format_ = "SQLite";
      if (file == kStandardOutput) {
        read_sqlite_bytes(read_rest(bytes), topics_);
      } else {
        read_sqlite_file(std::string(file), topics_, progress);
      }
    } else {
      throw LogProblem("is compressed, but not a recording of rosbag2 (MCAP or SQLite)");
    }
  }

  JointStateTopics topics_;
  std::string format_, note_;
};

LogTable read_table(const std::string& path, const std::vector<ScalarCoordinate>& coordinates,
                    const LogReadOptions& options, const ReadProgress& progress) {
  RecordingReader recording(coordinates, options);
  if (is_folder(path)) {
    const std::vector<std::string> files = bag_files(path);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const ReadProgress part = [&](double share) {
        progress((static_cast<double>(i) + share) / static_cast<double>(files.size()));
      };
      const OpenFile file(files[i]);
      FileBytes content(file.descriptor(), part);
      PeekableBytes bytes(content);
      recording.read(files[i], files[i], bytes, part);
    }
    return recording.finish(path);
  }
  const std::string name = path == kStandardOutput ? "the log on standard input" : path;
  const OpenFile file(path);
  FileBytes content(file.descriptor(), progress);
  PeekableBytes bytes(content);
  try {
    const std::string_view magic = bytes.peek(kSqliteMagic.size());
    if (RecordingReader::begins_like_one(magic)) {
      recording.read(path, name, bytes, progress);
      return recording.finish(name);
    }
    if (magic.substr(0, kRos1Magic.size()) == kRos1Magic) {
      throw LogProblem("is a recording of ROS 1; convert it to one of ROS 2");
    }
    return read_text_log(name, bytes, coordinates);
  } catch (const LogProblem& problem) {
    throw_named(name, problem);
  }
}

}  // namespace

RobotLog read_log(const std::string& path, const std::vector<ScalarCoordinate>& coordinates,
                  const std::function<void(double share)>& progress) {
  return read_logs({path}, coordinates, {}, progress);
}

RobotLog read_logs(const std::vector<std::string>& paths,
                   const std::vector<ScalarCoordinate>& coordinates, const LogReadOptions& options,
                   const std::function<void(double share)>& progress) {
  std::vector<LogTable> tables;
  for (const std::string& path : paths) {
    const auto done = static_cast<double>(tables.size());
    tables.push_back(read_table(path, coordinates, options, [&](double share) {
      progress((done + share) / static_cast<double>(paths.size()));
    }));
    progress((done + 1.0) / static_cast<double>(paths.size()));
  }
  return to_log(tables, coordinates);
}

}  // namespace spatial_dynamics
