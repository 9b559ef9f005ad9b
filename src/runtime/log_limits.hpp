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
#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// Permits some events at once, then one per period. Times are of a steady clock, ns. One thread.
class Allowance {
 public:
  Allowance(int at_once, std::int64_t period) : at_once_(at_once), period_(period) {}
  /// Whether an event at `now` is permitted.
  bool take(std::int64_t now) noexcept;

 private:
  int at_once_;
  std::int64_t period_;
  int left_ = at_once_;
  std::int64_t last_refill_ = 0;
};

/// Lets lines pass: ten at once, then one a second. Thread-safe.
class LineLimiter {
 public:
  static constexpr int kAtOnce = 10;

  /// The line, with how many were left out before it; empty if this one is left out too. `now` is a
  /// steady clock, ns. Allocates.
  std::string pass(std::string_view line, std::int64_t now);

 private:
  std::mutex mutex_;
  Allowance allowance_{kAtOnce, 1'000'000'000};
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

/// Decides which changes of a state in words are logged. At once: a text that was not logged in the
/// last minute, and a change of phase, unless there are many. Another text is logged again only
/// after it has lasted for five seconds, so that a state that comes and goes (a torque at its limit
/// once in a swing) does not fill the log. One thread.
class ChangeFilter {
 public:
  static constexpr std::int64_t kNewAfter = 60'000'000'000;     ///< ns
  static constexpr std::int64_t kLastsFor = 5'000'000'000;      ///< ns
  static constexpr std::size_t kMostTexts = 64;                 ///< that are kept
  static constexpr int kPhasesAtOnce = 10;                      ///< changes of phase
  static constexpr std::int64_t kPhasePeriod = 10'000'000'000;  ///< ns; then one per period

  /// Whether to log `text`, which describes the state at `now` (a steady clock, ns). Allocates.
  bool worth_logging(const std::string& text, Phase phase, std::int64_t now);

 private:
  std::string current_, logged_;
  Phase logged_phase_ = Phase::kInactive;
  Allowance phases_{kPhasesAtOnce, kPhasePeriod};
  std::int64_t since_ = 0;                         // when `current_` began
  std::map<std::string, std::int64_t> logged_at_;  // in the last minute
};

}  // namespace spatial_dynamics
