#pragma once

#include <atomic>
#include <thread>

namespace spatial_dynamics {

/// Keeps everyone else from stepping. Waits by yielding: whoever has the flag keeps it for microseconds. The loop itself never waits
/// for it. Locks are taken in this order: publishing_, control_, this one.
class StepGuard {
 public:
  explicit StepGuard(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~StepGuard() { flag_.clear(std::memory_order_release); }
  StepGuard(const StepGuard&) = delete;
  StepGuard& operator=(const StepGuard&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace spatial_dynamics
