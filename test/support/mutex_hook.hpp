// Counts the locks that the calling thread takes: a real-time thread must take none.
#pragma once

#include <cstddef>

namespace spatial_dynamics::test {

/// Counts this thread's calls of pthread's mutex and read-write locks from its construction on.
/// std::mutex and similar classes use them; internal locks of the C library are not counted.
class LockWatch {
 public:
  LockWatch() noexcept;
  ~LockWatch();
  LockWatch(const LockWatch&) = delete;
  LockWatch& operator=(const LockWatch&) = delete;
  /// Calls of lock, trylock, timedlock and clocklock so far.
  [[nodiscard]] std::size_t count() const noexcept;
};

}  // namespace spatial_dynamics::test
