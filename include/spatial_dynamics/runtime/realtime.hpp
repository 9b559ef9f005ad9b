// What a thread asks of the kernel so that it wakes up in time: priority, a core of its own, memory
// that stays.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace spatial_dynamics {

struct RealtimeSettings {
  int priority = 80;  ///< of SCHED_FIFO; 0: the ordinary scheduler
  int cpu = -1;       ///< -1: any
  bool lock_memory = true;
  bool required = false;  ///< do not run without these, instead of warning
};

/// Why a loop could not be started: one sentence with the remedy.
class RealtimeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Locks all memory of the process, present and future, so that no page of it has to be fetched
/// again; programs and libraries are brought in whole, all other memory as it is touched. Returns
/// why not, with the remedy; empty if it did.
///
/// With a finite RLIMIT_MEMLOCK and no CAP_IPC_LOCK, mlockall may succeed at first and then make
/// every later allocation fail that goes beyond the limit, the stacks of new threads among them. So
/// it is not even tried then. Allocates.
std::string lock_process_memory();

/// Gives the calling thread the priority (SCHED_FIFO) and the core that are asked for. Returns what
/// was rejected, each as a sentence with the remedy; empty if nothing was. Allocates.
std::vector<std::string> schedule_this_thread(const RealtimeSettings& settings);

/// Names the calling thread for `top -H`, ps and debuggers; the kernel keeps 15 characters.
void name_this_thread(const std::string& name) noexcept;

/// Asks the kernel to wake the calling thread at the requested time and not up to 50 us later, the
/// default for threads without a real-time priority.
void forbid_timer_slack() noexcept;

/// Touches the calling thread's stack for the next kPrefaultedStack bytes, so that its first use
/// costs no page fault.
inline constexpr std::size_t kPrefaultedStack = 262144;
void prefault_stack() noexcept;

}  // namespace spatial_dynamics
