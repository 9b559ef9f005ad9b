// Counts the heap operations of the calling thread. Hooks malloc itself, because Eigen does not go
// through operator new.
#pragma once

#include <cstddef>

namespace spatial_dynamics::test {

/// Counts this thread's allocations and releases from its construction on.
class HeapWatch {
 public:
  HeapWatch() noexcept;
  ~HeapWatch();
  HeapWatch(const HeapWatch&) = delete;
  HeapWatch& operator=(const HeapWatch&) = delete;
  /// Calls of malloc, calloc, realloc, the aligned ones and free so far.
  [[nodiscard]] std::size_t count() const noexcept;
};

}  // namespace spatial_dynamics::test
