// The thread that calls a function at a fixed rate.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "spatial_dynamics/runtime/histogram.hpp"
#include "spatial_dynamics/runtime/realtime.hpp"

namespace spatial_dynamics {

struct LoopOptions {
  double rate_hz = 1000.0;  ///< kSlowestRate … kFastestRate
  std::string thread_name = "loop";
  RealtimeSettings realtime;
};

inline constexpr double kSlowestRate = 0.1;       // Hz
inline constexpr double kFastestRate = 100000.0;  // Hz

/// Statistics of a loop. The loop's thread writes them; any thread may read them.
struct LoopStatistics {
  Histogram wakeup_jitter;                 ///< ns from the due time of a cycle to its beginning
  Histogram compute_time;                  ///< ns that the callback took
  std::atomic<std::uint64_t> cycles{0};    ///< calls of the callback
  std::atomic<std::uint64_t> overruns{0};  ///< times that the loop was late and resynchronised
  std::atomic<std::uint64_t> skipped{0};   ///< cycles that were skipped by overruns
};

/// Calls `callback(scheduled_ns, now_ns)` (steady clock) on its own thread.
///
/// Cycles are due at start + k * period, so there is no drift. The period is rounded to ns. A cycle
/// that cannot begin before the next one is due is skipped: after a pause of any length (SIGSTOP,
/// starvation, a slow callback) there is one cycle, then the normal schedule continues. Each such
/// event is one overrun.
///
/// After start() has returned, the loop's thread itself does not allocate, lock, log or throw; the
/// callback must not throw. Call start() and stop() from one thread; set_rate(), request_stop(),
/// running() and statistics() may be called from any thread.
class FixedRateLoop {
 public:
  using Callback = std::function<void(std::int64_t scheduled_ns, std::int64_t now_ns)>;

  /// Throws std::invalid_argument if the rate or the priority is out of range.
  FixedRateLoop(LoopOptions options, Callback callback);
  ~FixedRateLoop();  ///< stops
  FixedRateLoop(const FixedRateLoop&) = delete;
  FixedRateLoop& operator=(const FixedRateLoop&) = delete;

  /// Starts the thread and returns when its settings are applied; the first cycle is due one period
  /// later. Throws RealtimeError if no thread can be created, or if a setting was rejected and
  /// `realtime.required` is set; nothing runs then. Allocates. No effect while running. May be
  /// called again after stop(); statistics continue.
  void start();
  /// Ends the loop and waits for its thread: for the callback in progress, and then at most one
  /// period or 0.1 s, whichever is less. If the callback calls stop(), it only requests the end.
  void stop() noexcept;
  /// Requests that the loop ends after the cycle in progress. Real-time safe.
  void request_stop() noexcept;
  [[nodiscard]] bool running() const noexcept { return running_.load(std::memory_order_acquire); }

  /// The new period applies after the next wake-up. Throws std::invalid_argument if the rate is out
  /// of range; otherwise real-time safe.
  void set_rate(double rate_hz);
  [[nodiscard]] double rate_hz() const noexcept;

  /// Settings that were rejected at the last start(), as sentences. Any thread; locks, allocates.
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] const LoopStatistics& statistics() const noexcept { return statistics_; }

 private:
  void launch(std::promise<std::vector<std::string>> ready, bool memory_is_locked);
  void run(std::promise<std::vector<std::string>> ready, bool memory_is_locked);
  void run_cycles() noexcept;
  /// Runs one cycle; returns the time of its end.
  std::int64_t cycle(std::int64_t due, std::int64_t scheduled, std::int64_t now) noexcept;
  /// False if the loop must end.
  [[nodiscard]] bool sleep_until(std::int64_t time) const noexcept;
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  const LoopOptions options_;
  const Callback callback_;
  mutable std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;
  LoopStatistics statistics_;
  std::atomic<std::int64_t> period_ns_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> running_{false};
  std::thread thread_;
  std::atomic<std::thread::id> inside_{};  // the thread that runs cycles now
};

}  // namespace spatial_dynamics
