// Observes a thread of this process on which a test cannot run code.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <string>

namespace spatial_dynamics::test {

/// Counts how often one thread passes a place. The place calls note(); any thread may watch.
/// Real-time safe.
class PassageCounter {
 public:
  void note() noexcept {
    const pid_t thread = watched_.load(std::memory_order_relaxed);
    if (thread != 0 && thread == this_thread()) passages_.fetch_add(1, std::memory_order_relaxed);
  }
  /// Starts at zero; 0 ends it.
  void watch(pid_t thread) noexcept {
    watched_ = 0;
    passages_ = 0;
    watched_ = thread;
  }
  [[nodiscard]] std::size_t count() const noexcept { return passages_; }

 private:
  static pid_t this_thread() noexcept;

  std::atomic<pid_t> watched_{0};
  std::atomic<std::size_t> passages_{0};
};

/// Calls of malloc and related functions, and of pthread's locks, in any one thread; HeapWatch and
/// LockWatch count the same.
extern PassageCounter heap_calls;
extern PassageCounter lock_calls;

/// The thread of this process with that name; 0 if there is none or more than one.
pid_t thread_named(const std::string& name);

/// Page faults of a thread of this process so far, minor and major.
long page_faults_of(pid_t thread);

}  // namespace spatial_dynamics::test
