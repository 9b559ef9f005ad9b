// Keeps the log short.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/log_queue.hpp"
#include "runtime/qos.hpp"

namespace spatial_dynamics {

/// Lets lines pass: ten at once, then one a second. Thread-safe.
class LineLimiter {
 public:
  static constexpr int kAtOnce = 10;

  /// The line, with how many were left out before it; empty if this one is left out too. `now` is a
  /// steady clock, ns. Allocates.
  std::string pass(std::string_view line, std::int64_t now);

 private:
  std::mutex mutex_;
  int allowance_ = kAtOnce;
  std::int64_t last_refill_ = 0;
  std::uint64_t left_out_ = 0;
};

using LogFunction = std::function<void(LogLevel level, const std::string& text)>;

/// Log lines of one kind: passes to `log` the lines that a LineLimiter lets pass. Thread-safe if
/// `log` is.
class LimitedLog {
 public:
  explicit LimitedLog(LogFunction log) : log_(std::move(log)) {}

  /// Allocates.
  void write(LogLevel level, std::string_view line);

 private:
  LogFunction log_;
  LineLimiter lines_;
};

/// Logs each mismatch as a warning in a LimitedLog. Allocates.
std::function<void(const QosMismatch&)> log_mismatches(LogFunction log);

/// Decides which changes of a state in words are logged. A text that was not logged in the last
/// minute is logged at once. Another one is logged again only after it has lasted for five seconds,
/// so that a state that comes and goes (a torque at its limit once in a swing) does not fill the
/// log. One thread.
class ChangeFilter {
 public:
  static constexpr std::int64_t kNewAfter = 60'000'000'000;  ///< ns
  static constexpr std::int64_t kLastsFor = 5'000'000'000;   ///< ns
  static constexpr std::size_t kMostTexts = 64;              ///< that are kept

  /// Whether to log `text`, which describes the state at `now` (a steady clock, ns). Allocates.
  bool worth_logging(const std::string& text, std::int64_t now);

 private:
  std::string current_, logged_;
  std::int64_t since_ = 0;                         // when `current_` began
  std::map<std::string, std::int64_t> logged_at_;  // in the last minute
};

}  // namespace spatial_dynamics
