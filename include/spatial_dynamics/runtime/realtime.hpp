// Real-time settings of a thread: priority, processor core, locked memory.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace spatial_dynamics {

struct RealtimeSettings {
  int priority = 80;  ///< of SCHED_FIFO; 0: the default scheduler
  int cpu = -1;       ///< -1: any
  bool lock_memory = true;
  bool required = false;  ///< if one is rejected: an error instead of a warning
};

/// The reason why a loop could not be started: one sentence with the correction.
class RealtimeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Locks all present and future memory of the process, so that no page is paged out. Programs and
/// libraries are loaded completely, other memory when it is first used. Returns an empty string, or
/// the reason for a failure with the correction.
///
/// With a finite RLIMIT_MEMLOCK and no CAP_IPC_LOCK, mlockall may succeed, but every later
/// allocation beyond the limit would fail, including the stacks of new threads. Therefore it is not
/// called in this case. Allocates.
std::string lock_process_memory();

/// Sets the requested priority (SCHED_FIFO) and core of the calling thread. Returns a sentence with
/// the correction for each rejected request; empty if none was rejected. Allocates.
std::vector<std::string> schedule_this_thread(const RealtimeSettings& settings);

/// Gives the calling thread a SCHED_FIFO priority this much below the loop's, at least 1. No effect
/// if the loop requests none, if the thread has another scheduler than the default, or if the
/// system rejects the request, which the loop reports. Real-time safe.
void schedule_below_loop(const RealtimeSettings& loop, int below) noexcept;

/// Names the calling thread for `top -H`, ps and debuggers; the kernel keeps 15 characters.
void name_this_thread(const std::string& name) noexcept;

/// Requests that the kernel wakes the calling thread at the requested time. The default for threads
/// without a real-time priority is up to 50 us later.
void forbid_timer_slack() noexcept;

/// Touches the calling thread's stack for the next kPrefaultedStack bytes, so that its first use
/// costs no page fault.
inline constexpr std::size_t kPrefaultedStack = 262144;
void prefault_stack() noexcept;

}  // namespace spatial_dynamics
