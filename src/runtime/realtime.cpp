#include "spatial_dynamics/runtime/realtime.hpp"

#include <link.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace spatial_dynamics {
namespace {

/// "Operation not permitted" and the like; std::strerror is not safe among threads.
std::string reason(int error) { return std::generic_category().message(error); }

bool has_capability(unsigned capability) noexcept {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (syscall(SYS_capget, &header, data.data()) != 0) return false;
  return (data[capability / 32].effective & (1u << (capability % 32))) != 0;
}

std::string rejected_priority(int priority, int error) {
  return "realtime.priority " + std::to_string(priority) + " was rejected (" + reason(error) +
         "): run as root, grant CAP_SYS_NICE, or set rtprio in /etc/security/limits.conf; until "
         "then the loop uses the default scheduler.";
}

std::string rejected_cpu(int cpu, int error) {
  return "realtime.cpu " + std::to_string(cpu) + " was rejected (" + reason(error) +
         "): choose one of the cores that this process may use, or -1; the loop runs on any.";
}

/// Loads and locks all pages of one program or library: text, constants, variables. Stops at the
/// first failure.
int lock_loaded_object(dl_phdr_info* object, std::size_t, void*) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const ElfW(Addr) address = object->dlpi_addr + segment.p_vaddr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
    if (mlock(reinterpret_cast<const void*>(address), segment.p_memsz) != 0) return -1;
  }
  return 0;
}

}  // namespace

std::string lock_process_memory() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const std::string remedy =
      ": set memlock to unlimited in /etc/security/limits.conf or grant CAP_IPC_LOCK; until then "
      "the "
      "loop may wait for memory.";
  if (limit.rlim_cur != RLIM_INFINITY && !has_capability(CAP_IPC_LOCK)) {
    return "realtime.lock_memory was not done, because this process may lock only " +
           std::to_string(limit.rlim_cur / 1024) + " kB" + remedy;
  }
  // Locks all pages, but only when they are used: otherwise every new thread would load its whole
  // stack of 8 MiB, which takes most of the start. The loop's data has been used by then, and its
  // stack is prefaulted; what remains is code that has not run yet, which the second call loads.
  if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 &&
      dl_iterate_phdr(lock_loaded_object, nullptr) == 0) {
    return {};
  }
  return "realtime.lock_memory was rejected (" + reason(errno) + ")" + remedy;
}

void schedule_below_loop(const RealtimeSettings& loop, int below) noexcept {
  sched_param parameters{};
  int policy = SCHED_OTHER;
  if (pthread_getschedparam(pthread_self(), &policy, &parameters) != 0 || policy != SCHED_OTHER) {
    return;  // somebody else has decided
  }
  parameters.sched_priority = loop.priority - below;
  if (parameters.sched_priority < 1) return;
  (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

std::vector<std::string> schedule_this_thread(const RealtimeSettings& settings) {
  std::vector<std::string> rejected;
  if (settings.cpu >= 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    // Such a core does not exist; CPU_SET would silently ignore it.
    if (settings.cpu < CPU_SETSIZE) CPU_SET(static_cast<unsigned>(settings.cpu), &cores);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
    if (error != 0) rejected.push_back(rejected_cpu(settings.cpu, error));
  }
  if (settings.priority > 0) {
    sched_param parameters{};
    parameters.sched_priority = settings.priority;
    const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    if (error != 0) rejected.push_back(rejected_priority(settings.priority, error));
  }
  return rejected;
}

void name_this_thread(const std::string& name) noexcept {
  constexpr std::size_t kLongest = 15;
  std::array<char, kLongest + 1> text{};
  name.copy(text.data(), kLongest);
  pthread_setname_np(pthread_self(), text.data());
}

void forbid_timer_slack() noexcept { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

// Not inlined: the caller's later calls must reuse these bytes, not lie below them.
[[gnu::noinline]] void prefault_stack() noexcept {
  constexpr std::size_t kPage = 4096;
  std::array<volatile unsigned char, kPrefaultedStack> stack;
  for (std::size_t i = 0; i < stack.size(); i += kPage) stack[i] = 0;
}

}  // namespace spatial_dynamics
