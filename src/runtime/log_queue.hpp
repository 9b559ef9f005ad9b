// A log that no thread waits for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace spatial_dynamics {

enum class LogLevel { kInfo, kWarning, kError };

struct LogLine {
  LogLevel level = LogLevel::kInfo;
  std::int64_t time = 0;  ///< of push(), system clock, ns
  std::string name;       ///< of the node or library that logs
  std::string text;
};

/// A bounded queue with its own thread between the threads that log and a sink that may block, such
/// as a stopped terminal or a full pipe. A line that does not fit is lost and counted. As soon as
/// the sink accepts lines again, one line reports how many were lost.
class LogQueue {
 public:
  using Sink = std::function<void(const LogLine& line)>;  ///< called on the queue's thread
  static constexpr std::size_t kMostLines = 1000;
  static constexpr std::size_t kLongestText = 8192;  ///< bytes; a longer text is cut
  static constexpr std::chrono::milliseconds kLongestDrain{200};

  /// Starts the thread, which blocks all signals. Allocates; throws std::runtime_error.
  explicit LogQueue(Sink sink, std::size_t most_lines = kMostLines);
  /// close().
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Any thread but a real-time one: allocates, and locks for the time of a queue operation. Never
  /// waits for the sink.
  void push(LogLevel level, std::string_view name, std::string_view text) noexcept;

  /// Lines that never reached the sink because the queue was full.
  [[nodiscard]] std::uint64_t lost() const noexcept;

  /// Waits at most `limit` until all lines have reached the sink. False if lines are left.
  bool drain(std::chrono::milliseconds limit = kLongestDrain) const noexcept;

  /// Waits at most `limit` until all lines have reached the sink and ends the thread. A sink that
  /// hangs for longer is abandoned: its thread stays behind, detached, and calls the sink no more.
  /// False if lines were left. Lines pushed afterwards are lost.
  bool close(std::chrono::milliseconds limit = kLongestDrain) noexcept;

 private:
  struct State;
  static void run(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;  // shared with the thread, which may outlive this object
  std::thread thread_;
};

}  // namespace spatial_dynamics
