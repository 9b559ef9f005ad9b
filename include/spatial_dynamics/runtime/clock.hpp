// The two clocks: one to measure and schedule with, one to stamp messages with.
#pragma once

#include <cstdint>
#include <ctime>  // clock_gettime, which POSIX adds

namespace spatial_dynamics {

inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

inline std::int64_t to_nanoseconds(const timespec& time) noexcept {
  return static_cast<std::int64_t>(time.tv_sec) * kNanosecondsPerSecond + time.tv_nsec;
}

inline double to_seconds(std::int64_t ns) noexcept {
  return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

/// For times that are not negative.
inline timespec to_timespec(std::int64_t ns) noexcept {
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / kNanosecondsPerSecond);
  time.tv_nsec = static_cast<long>(ns % kNanosecondsPerSecond);
  return time;
}

/// CLOCK_MONOTONIC in ns: never steps, whatever happens to the date. Real-time safe (no system call on Linux).
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
