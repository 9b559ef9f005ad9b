// The two clocks: the steady clock for measuring and scheduling, the system clock for stamps.
#pragma once

#include <cmath>
#include <cstdint>
#include <ctime>  // clock_gettime (POSIX)

namespace spatial_dynamics {

inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

inline std::int64_t to_nanoseconds(const timespec& time) noexcept {
  return static_cast<std::int64_t>(time.tv_sec) * kNanosecondsPerSecond + time.tv_nsec;
}

inline double to_seconds(std::int64_t ns) noexcept {
  return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

/// True if a message received at `received` (0: never) is at most timeout_s old at `now`. A time
/// more than timeout_s in the future belongs to another clock and is not fresh.
inline bool is_fresh(std::int64_t now, std::int64_t received, double timeout_s) noexcept {
  return received != 0 && std::abs(to_seconds(now - received)) <= timeout_s;
}

/// For times that are not negative.
inline timespec to_timespec(std::int64_t ns) noexcept {
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / kNanosecondsPerSecond);
  time.tv_nsec = static_cast<long>(ns % kNanosecondsPerSecond);
  return time;
}

/// CLOCK_MONOTONIC in ns: never steps when the date is set. Real-time safe (no system call on
/// Linux).
inline std::int64_t steady_now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return to_nanoseconds(time);
}

/// CLOCK_REALTIME in ns since 1970: may step at any time. For stamps only. Real-time safe.
inline std::int64_t system_now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return to_nanoseconds(time);
}

}  // namespace spatial_dynamics
