#include "spatial_dynamics/runtime/loop.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// A slow loop checks at this interval whether it must end.
constexpr std::int64_t kLongestNap = kNanosecondsPerSecond / 10;

std::int64_t period_of(double rate_hz) {
  if (!(rate_hz >= kSlowestRate && rate_hz <= kFastestRate)) {
    throw std::invalid_argument("A loop's rate must be from 0.1 to 100000 Hz, not " +
                                std::to_string(rate_hz) + ".");
  }
  return std::llround(static_cast<double>(kNanosecondsPerSecond) / rate_hz);
}

void check(const LoopOptions& options) {
  if (options.realtime.priority < 0 || options.realtime.priority > 99) {
    throw std::invalid_argument(
        "A thread's real-time priority must be from 1 to 99, or 0 for none, not " +
        std::to_string(options.realtime.priority) + ".");
  }
}

/// One thread writes these counters.
void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

/// Whole periods from `earlier` to `later`.
std::int64_t periods_between(std::int64_t earlier, std::int64_t later,
                             std::int64_t period) noexcept {
  return later < earlier ? 0 : (later - earlier) / period;
}

}  // namespace

FixedRateLoop::FixedRateLoop(LoopOptions options, Callback callback)
    : options_(std::move(options)),
      callback_(std::move(callback)),
      period_ns_(period_of(options_.rate_hz)) {
  check(options_);
}

FixedRateLoop::~FixedRateLoop() { stop(); }

void FixedRateLoop::start() {
  if (running() && !stopping()) return;
  stop();  // a thread that ended by request_stop() must still be joined
  stopping_.store(false);
  std::vector<std::string> warnings;
  if (options_.realtime.lock_memory) {
    const std::string rejection = lock_process_memory();
    if (!rejection.empty()) warnings.push_back(rejection);
  }
  std::promise<std::vector<std::string>> promise;
  std::future<std::vector<std::string>> ready = promise.get_future();
  const bool memory_is_locked = warnings.empty();
  launch(std::move(promise), memory_is_locked);
  for (std::string& rejection : ready.get()) warnings.push_back(std::move(rejection));
  {
    const std::lock_guard lock(warnings_mutex_);
    warnings_ = warnings;
  }
  if (options_.realtime.required && !warnings.empty()) {
    stop();
    throw RealtimeError("require_realtime is set, but " + warnings.front());
  }
}

std::vector<std::string> FixedRateLoop::warnings() const {
  const std::lock_guard lock(warnings_mutex_);
  return warnings_;
}

void FixedRateLoop::launch(std::promise<std::vector<std::string>> ready, bool memory_is_locked) {
  try {
    thread_ = std::thread(&FixedRateLoop::run, this, std::move(ready), memory_is_locked);
  } catch (const std::system_error& error) {
    throw RealtimeError("The loop's thread could not be created (" + error.code().message() +
                        "): raise the limits on processes and memory (ulimit -u, ulimit -v), or "
                        "free some.");
  }
}

void FixedRateLoop::run(std::promise<std::vector<std::string>> ready, bool memory_is_locked) {
  name_this_thread(options_.thread_name);
  forbid_timer_slack();
  std::vector<std::string> rejected = schedule_this_thread(options_.realtime);
  const bool allowed = !options_.realtime.required || (rejected.empty() && memory_is_locked);
  prefault_stack();
  running_.store(allowed, std::memory_order_release);
  ready.set_value(std::move(rejected));
  if (!allowed) return;
  inside_.store(std::this_thread::get_id());
  run_cycles();
  inside_.store({});
  running_.store(false, std::memory_order_release);
}

void FixedRateLoop::run_cycles() noexcept {
  std::int64_t due = steady_now_ns() + period_ns_.load(std::memory_order_relaxed);
  while (sleep_until(due)) {
    const std::int64_t period = period_ns_.load(std::memory_order_relaxed);
    const std::int64_t now = steady_now_ns();
    const std::int64_t late = periods_between(due, now, period);
    const std::int64_t scheduled = due + late * period;
    const std::int64_t finished = cycle(due, scheduled, now);
    const std::int64_t next = scheduled + period;
    // A cycle that is due at the very moment is not late yet.
    const std::int64_t missed =
        finished > next ? periods_between(next, finished - 1, period) + 1 : 0;
    due = next + missed * period;
    if (late + missed > 0) {
      add(statistics_.overruns, 1);
      add(statistics_.skipped, static_cast<std::uint64_t>(late + missed));
    }
  }
}

std::int64_t FixedRateLoop::cycle(std::int64_t due, std::int64_t scheduled,
                                  std::int64_t now) noexcept {
  callback_(scheduled, now);
  const std::int64_t finished = steady_now_ns();
  statistics_.wakeup_jitter.record(now - due);
  statistics_.compute_time.record(finished - now);
  add(statistics_.cycles, 1);
  return finished;
}

bool FixedRateLoop::sleep_until(std::int64_t time) const noexcept {
  while (!stopping()) {
    const std::int64_t now = steady_now_ns();
    if (now >= time) return true;
    const timespec wake = to_timespec(std::min(time, now + kLongestNap));
    // Interrupted by a signal or not: the clock decides whether it is time.
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
  }
  return false;
}

void FixedRateLoop::request_stop() noexcept { stopping_.store(true, std::memory_order_relaxed); }

void FixedRateLoop::stop() noexcept {
  request_stop();
  if (inside_.load() == std::this_thread::get_id()) return;  // it ends after this cycle
  if (thread_.joinable()) thread_.join();
}

void FixedRateLoop::set_rate(double rate_hz) {
  period_ns_.store(period_of(rate_hz), std::memory_order_relaxed);
}

double FixedRateLoop::rate_hz() const noexcept {
  return 1e9 / static_cast<double>(period_ns_.load(std::memory_order_relaxed));
}

}  // namespace spatial_dynamics
