#include "spatial_dynamics/runtime/loop.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <mutex>
#include <optional>

#include "spatial_dynamics/control/clock.hpp"
#include "support/constants.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"

#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

/// A loop that needs no privilege.
LoopOptions plain(double rate_hz) {
  LoopOptions options;
  options.rate_hz = rate_hz;
  options.thread_name = "test_loop";
  options.realtime = {0, -1, false, false};
  return options;
}

struct Call {
  std::int64_t scheduled, now;
};

/// Records the calls of a loop without allocation.
class Diary {
 public:
  explicit Diary(std::size_t capacity) : calls_(capacity) {}
  void note(std::int64_t scheduled, std::int64_t now) noexcept {
    if (count_ < calls_.size()) calls_[count_++] = {scheduled, now};
  }
  /// After the loop has stopped.
  [[nodiscard]] std::vector<Call> calls() const {
    return {calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(count_)};
  }

 private:
  std::vector<Call> calls_;
  std::size_t count_ = 0;
};

/// The laws of every loop with a constant rate, also on a busy machine: cycles are due on the grid
/// of the period, each at most once; a cycle begins neither before it is due nor after the next one
/// is due, so no interval has too many cycles. The counters match the calls.
void expect_no_drift_no_burst(const std::vector<Call>& calls, std::int64_t period,
                              const LoopStatistics& statistics) {
  ASSERT_GT(calls.size(), 1u);
  std::uint64_t gaps = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    ASSERT_EQ((calls[i].scheduled - calls[0].scheduled) % period, 0) << i;
    ASSERT_GE(calls[i].now, calls[i].scheduled) << i;
    ASSERT_LT(calls[i].now, calls[i].scheduled + period) << i;
    if (i == 0) continue;
    ASSERT_GT(calls[i].scheduled, calls[i - 1].scheduled) << i;
    gaps += calls[i].scheduled - calls[i - 1].scheduled > period ? 1 : 0;
  }
  constexpr std::size_t kWindow = 20;
  for (std::size_t i = kWindow; i < calls.size(); ++i) {
    const auto least = static_cast<std::int64_t>(kWindow - 1) * period;
    ASSERT_GE(calls[i].now - calls[i - kWindow].now, least) << "a burst at call " << i;
  }
  EXPECT_EQ(statistics.cycles, calls.size());
  EXPECT_EQ(statistics.wakeup_jitter.snapshot().count(), calls.size());
  EXPECT_EQ(statistics.compute_time.snapshot().count(), calls.size());
  // The counters include cycles that were skipped before the first and after the last call.
  const std::int64_t periods = (calls.back().scheduled - calls.front().scheduled) / period;
  EXPECT_GE(statistics.skipped, static_cast<std::uint64_t>(periods) + 1 - calls.size());
  EXPECT_LE(statistics.overruns, gaps + 2);
  EXPECT_GE(2 * statistics.overruns, gaps);
}

/// Waits until a loop has run this many cycles; on a busy machine this takes longer.
void await_cycles(const FixedRateLoop& loop, std::uint64_t cycles) {
  const std::int64_t give_up = steady_now_ns() + 60'000 * kMillisecond;
  while (loop.statistics().cycles < cycles && steady_now_ns() < give_up) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

TEST(FixedRateLoop, KeepsItsRateWithoutDriftOrBurst) {
  Diary diary(5000);
  FixedRateLoop loop(plain(1000), [&](std::int64_t s, std::int64_t n) { diary.note(s, n); });
  const std::int64_t begin = steady_now_ns();
  loop.start();
  await_cycles(loop, 500);
  loop.stop();
  const std::int64_t elapsed = steady_now_ns() - begin;
  expect_no_drift_no_burst(diary.calls(), kMillisecond, loop.statistics());
  // Every cycle from the first one to the last is run or counted as skipped.
  const std::vector<Call> calls = diary.calls();
  const auto due = static_cast<std::uint64_t>(
      (calls.back().scheduled - calls.front().scheduled) / kMillisecond + 1);
  EXPECT_GE(loop.statistics().cycles, 500u);
  EXPECT_GE(loop.statistics().cycles + loop.statistics().skipped, due);
  EXPECT_LE(loop.statistics().cycles + loop.statistics().skipped,
            static_cast<std::uint64_t>(elapsed / kMillisecond + 1));
}

TEST(FixedRateLoop, SkipsWholeCyclesAfterASlowCallback) {
  constexpr std::int64_t kPeriod = 20 * kMillisecond;
  Diary diary(1000);
  int calls = 0;
  FixedRateLoop loop(plain(50), [&](std::int64_t s, std::int64_t n) {
    diary.note(s, n);
    // Two and a half periods: the two cycles due meanwhile are skipped, the third one runs.
    if (++calls == 5) std::this_thread::sleep_for(milliseconds(50));
  });
  loop.start();
  await_cycles(loop, 8);
  loop.stop();
  const std::vector<Call> seen = diary.calls();
  expect_no_drift_no_burst(seen, kPeriod, loop.statistics());
  ASSERT_GT(seen.size(), 6u);
  EXPECT_GE(seen[5].scheduled - seen[4].scheduled, 3 * kPeriod);
  EXPECT_GE(seen[5].now, seen[4].now + 50 * kMillisecond);
  EXPECT_GE(loop.statistics().skipped, 2u);
  EXPECT_GE(loop.statistics().overruns, 1u);
  EXPECT_GE(loop.statistics().compute_time.snapshot().max(), 50 * kMillisecond);
}

TEST(FixedRateLoop, SlowCallbackRunsBackToBackWithoutOverlap) {
  Diary diary(1000);
  FixedRateLoop loop(plain(200), [&](std::int64_t s, std::int64_t n) {
    diary.note(s, n);
    std::this_thread::sleep_for(milliseconds(6));  // of 5
  });
  loop.start();
  await_cycles(loop, 50);
  loop.stop();
  const std::vector<Call> calls = diary.calls();
  expect_no_drift_no_burst(calls, 5 * kMillisecond, loop.statistics());
  // Every second cycle at most.
  EXPECT_GE(calls.back().scheduled - calls.front().scheduled,
            10 * kMillisecond * static_cast<std::int64_t>(calls.size() - 1));
  EXPECT_EQ(loop.statistics().overruns, loop.statistics().cycles);
}

/// The observations of a child process that was stopped and continued.
struct Finding {
  bool lawful = false;
  std::uint64_t long_gaps = 0;
  std::uint64_t skipped_there = 0;
  std::uint64_t skipped = 0;
  std::int64_t worst_jitter = 0;
};

/// In the child: runs a loop until it observes a long pause, and half a second more, then reports.
Finding watch_a_pause() {
  constexpr std::int64_t kPeriod = kMillisecond;
  Diary diary(60'000);
  std::atomic<std::int64_t> resumed{0};
  std::int64_t previous = 0;
  FixedRateLoop loop(plain(1000), [&](std::int64_t s, std::int64_t n) {
    diary.note(s, n);
    if (previous != 0 && n - previous > 700 * kMillisecond) resumed = n;
    previous = n;
  });
  loop.start();
  const std::int64_t give_up = steady_now_ns() + 20'000 * kMillisecond;
  while (resumed == 0 && steady_now_ns() < give_up) std::this_thread::sleep_for(milliseconds(10));
  std::this_thread::sleep_for(milliseconds(500));
  loop.stop();

  Finding finding;
  const std::vector<Call> calls = diary.calls();
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const std::int64_t gap = calls[i].scheduled - calls[i - 1].scheduled;
    if (gap < 700 * kMillisecond) continue;
    ++finding.long_gaps;
    finding.skipped_there += static_cast<std::uint64_t>(gap / kPeriod - 1);
  }
  expect_no_drift_no_burst(calls, kPeriod, loop.statistics());
  finding.lawful = !::testing::Test::HasFailure();
  finding.skipped = loop.statistics().skipped;
  finding.worst_jitter = loop.statistics().wakeup_jitter.snapshot().max();
  return finding;
}

TEST(FixedRateLoop, StoppedForASecondResynchronisesOnceWithoutBurst) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const Finding finding = watch_a_pause();
    const bool sent = write(ends[1], &finding, sizeof finding) == sizeof finding;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::this_thread::sleep_for(milliseconds(500));
  kill(child, SIGSTOP);
  std::this_thread::sleep_for(milliseconds(1000));
  kill(child, SIGCONT);
  Finding finding;
  const ssize_t got = read(ends[0], &finding, sizeof finding);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  close(ends[0]);
  ASSERT_EQ(got, static_cast<ssize_t>(sizeof finding));
  EXPECT_TRUE(finding.lawful);
  EXPECT_EQ(finding.long_gaps, 1u);
  EXPECT_GE(finding.skipped_there, 900u);
  EXPECT_GE(finding.skipped, finding.skipped_there);
  // The process was almost certainly stopped while the loop slept; then one wake-up is very late.
  EXPECT_GT(finding.worst_jitter, 0);
}

TEST(FixedRateLoop, ChangesItsRateAtACyclesEdge) {
  Diary diary(20'000);
  std::atomic<std::uint64_t> calls{0};
  FixedRateLoop loop(plain(100), [&](std::int64_t s, std::int64_t n) {
    diary.note(s, n);
    ++calls;
  });
  loop.start();
  while (calls < 10) std::this_thread::sleep_for(milliseconds(1));
  loop.set_rate(500);
  EXPECT_EQ(loop.rate_hz(), 500.0);
  const std::uint64_t changed = calls;
  while (calls < changed + 50) std::this_thread::sleep_for(milliseconds(1));
  loop.stop();
  const std::vector<Call> seen = diary.calls();
  std::size_t slow = 0, fast = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const std::int64_t gap = seen[i].scheduled - seen[i - 1].scheduled;
    EXPECT_EQ(gap % (2 * kMillisecond), 0);  // 10 ms is on the grid of 2 ms
    slow += gap >= 10 * kMillisecond ? 1 : 0;
    fast += gap == 2 * kMillisecond ? 1 : 0;
  }
  EXPECT_GE(slow, 9u);
  EXPECT_GT(fast, 10u);
}

TEST(FixedRateLoop, StopsWithin600MillisecondsAtAnyRate) {
  for (const double rate : {0.1, 5.0, 1000.0}) {
    FixedRateLoop loop(plain(rate), [](std::int64_t, std::int64_t) {});
    loop.start();
    EXPECT_TRUE(loop.running());
    std::this_thread::sleep_for(milliseconds(20));
    const std::int64_t begin = steady_now_ns();
    loop.stop();
    EXPECT_FALSE(loop.running());
    EXPECT_LT(steady_now_ns() - begin, 600 * kMillisecond) << rate << " Hz";
  }
}

TEST(FixedRateLoop, StartsAgainAfterStopAndStopsTwiceWithoutHarm) {
  std::atomic<int> calls{0};
  FixedRateLoop loop(plain(1000), [&](std::int64_t, std::int64_t) { ++calls; });
  for (int round = 1; round <= 3; ++round) {
    loop.start();
    loop.start();
    const int before = calls;
    while (calls < before + 5) std::this_thread::yield();
    loop.stop();
    loop.stop();
    const int after = calls;
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(calls, after);
  }
}

TEST(FixedRateLoop, MayBeStoppedByItsOwnCallback) {
  std::atomic<int> calls{0};
  FixedRateLoop* self = nullptr;
  FixedRateLoop loop(plain(1000), [&](std::int64_t, std::int64_t) {
    if (++calls == 3) self->stop();
  });
  self = &loop;
  loop.start();
  while (loop.running()) std::this_thread::yield();
  EXPECT_EQ(calls, 3);
  calls = 0;
  loop.start();
  while (loop.running()) std::this_thread::yield();
  EXPECT_EQ(calls, 3);
}

TEST(FixedRateLoop, RejectsInvalidSettings) {
  const auto ignore = [](std::int64_t, std::int64_t) {};
  for (const double rate : {0.0, -1.0, 1e9, std::nan("")}) {
    EXPECT_THROW(FixedRateLoop(plain(rate), ignore), std::invalid_argument) << rate;
  }
  LoopOptions options = plain(100);
  options.realtime.priority = 100;
  EXPECT_THROW(FixedRateLoop(options, ignore), std::invalid_argument);
  FixedRateLoop loop(plain(100), ignore);
  EXPECT_THROW(loop.set_rate(0.0), std::invalid_argument);
  EXPECT_EQ(loop.rate_hz(), 100.0);
}

TEST(FixedRateLoop, NamesItsThread) {
  std::array<char, 32> name{};
  std::atomic<bool> called{false};
  FixedRateLoop loop(plain(1000), [&](std::int64_t, std::int64_t) {
    if (called) return;
    pthread_getname_np(pthread_self(), name.data(), name.size());
    called = true;
  });
  loop.start();
  while (!called) std::this_thread::yield();
  loop.stop();
  EXPECT_STREQ(name.data(), "test_loop");
}

// ---- real-time safety ---------------------------------------------------------------------------

TEST(LockWatch, CountsStandardMutex) {
  std::mutex mutex;
  const LockWatch watch;
  const std::lock_guard<std::mutex> lock(mutex);
  EXPECT_EQ(watch.count(), 1u);
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/// What the loop's thread did between its cycles 200 and 1200.
struct Toll {
  std::size_t heap_calls = 0;
  std::size_t locks = 0;
  long page_faults = 0;
};

Toll toll_of_a_thousand_cycles() {
  std::optional<HeapWatch> heap;
  std::optional<LockWatch> locks;
  Toll toll;
  std::atomic<int> cycle{0};
  FixedRateLoop loop(plain(1000), [&](std::int64_t, std::int64_t) {
    const int n = cycle.load(std::memory_order_relaxed) + 1;
    if (n == 200) {
      heap.emplace();
      locks.emplace();
      toll.page_faults = page_faults();
    } else if (n == 1200) {
      toll = {heap->count(), locks->count(), page_faults() - toll.page_faults};
    }
    cycle.store(n, std::memory_order_relaxed);
  });
  loop.start();
  while (cycle < 1200) std::this_thread::sleep_for(milliseconds(10));
  loop.stop();
  return toll;
}

TEST(LoopThread, DoesNotAllocateLockOrFaultOnceWarm) {
  const Toll toll = toll_of_a_thousand_cycles();
  EXPECT_EQ(toll.heap_calls, 0u);
  EXPECT_EQ(toll.locks, 0u);
  if (!kSanitized) {
    EXPECT_EQ(toll.page_faults, 0);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
