// Stands in for src/runtime/exchange_atomic.hpp: one operation in sixteen is delayed,
// before or after it takes effect.
#pragma once

#include <sched.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep is POSIX

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace spatial_dynamics {

/// Delays so far, of all threads.
inline std::atomic<std::uint64_t>& exchange_delays() {
  static std::atomic<std::uint64_t> count{0};
  return count;
}

inline void delay_at_random() noexcept {
  thread_local std::uint64_t random = std::hash<std::thread::id>{}(std::this_thread::get_id()) | 1;
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  if (random % 16 != 0) return;
  exchange_delays().fetch_add(1, std::memory_order_relaxed);
  if (random % 32 == 0) {
    ::sched_yield();
    return;
  }
  const timespec pause{0, static_cast<long>(random / 64 % 1'000'000)};  // up to a period
  ::nanosleep(&pause, nullptr);
}

template <typename T>
class ExchangeAtomic {
 public:
  ExchangeAtomic(T value) noexcept : value_(value) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] T load(std::memory_order order) const noexcept {
    return delayed([&] { return value_.load(order); });
  }
  void store(T value, std::memory_order order) noexcept {
    delayed([&] {
      value_.store(value, order);
      return value;
    });
  }
  T exchange(T value, std::memory_order order) noexcept {
    return delayed([&] { return value_.exchange(value, order); });
  }

 private:
  template <typename Operation>
  static T delayed(const Operation& operation) noexcept {
    delay_at_random();
    const T result = operation();
    delay_at_random();
    return result;
  }
  std::atomic<T> value_;
};

}  // namespace spatial_dynamics
