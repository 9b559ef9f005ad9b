#include "runtime/standard_error_log.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// Without stdio, whose lock the exit of the process would wait for.
void write_whole(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {  // standard error is non-blocking
      pollfd waiting{STDERR_FILENO, POLLOUT, 0};
      (void)::poll(&waiting, 1, -1);
      if ((waiting.revents & POLLNVAL) != 0) return;
    } else if (written == 0 || errno != EINTR) {
      return;  // it has no reader any more
    }
  }
}

/// As ROS 2 spells it.
const char* word_of(LogLevel level) noexcept {
  return level == LogLevel::kInfo ? "INFO" : level == LogLevel::kWarning ? "WARN" : "ERROR";
}

void write_line(const LogLine& line) {
  if (line.name.empty()) {
    write_whole(line.text + '\n');
    return;
  }
  char head[64];
  std::snprintf(head, sizeof head, "[%s] [%lld.%09lld] [", word_of(line.level),
                static_cast<long long>(line.time / kNanosecondsPerSecond),
                static_cast<long long>(line.time % kNanosecondsPerSecond));
  write_whole(head + line.name + "]: " + line.text + '\n');  // one write(): lines stay whole
}

std::atomic<bool> is_used{false};

LogQueue& queue() {
  static LogQueue all(write_line);
  is_used = true;
  return all;
}

}  // namespace

void log_to_standard_error(LogLevel level, std::string_view name, std::string_view text) {
  queue().push(level, name, text);
}

std::optional<LogLevel> level_of_line(std::string_view line) noexcept {
  const std::size_t end = line.find(']');
  if (end == std::string_view::npos || line.front() != '[') return std::nullopt;
  line = line.substr(1, end - 1);
  for (const LogLevel level : {LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError}) {
    if (line == word_of(level)) return level;
  }
  return std::nullopt;
}

void print_to_standard_error(std::string_view line) { queue().push(LogLevel::kInfo, "", line); }

void drain_standard_error_log() noexcept {
  if (is_used) queue().drain();
}

std::uint64_t standard_error_lines_lost() { return queue().lost(); }

}  // namespace spatial_dynamics
