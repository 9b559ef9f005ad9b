#include "spatial_dynamics/runtime/realtime.hpp"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <system_error>
#include <thread>

#include "spatial_dynamics/runtime/loop.hpp"

#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr rlim_t kSmallMemoryLock = 65536;

/// Drops all permissions of this process, a child of the test's, that real-time settings need.
void become_unprivileged(rlim_t memory_lock) {
  for (const auto& [resource, value] :
       {std::pair{RLIMIT_MEMLOCK, memory_lock}, std::pair{RLIMIT_RTPRIO, rlim_t{0}}}) {
    const rlimit limit{value, value};
    if (setrlimit(resource, &limit) != 0) std::abort();
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (syscall(SYS_capset, &header, none.data()) != 0) std::abort();
}

/// Runs a function in a child process, whose permissions and limits it may lower, and returns its
/// result.
std::string in_child(const std::function<std::string()>& function) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string answer = function();
    const ssize_t told = write(ends[1], answer.data(), answer.size());
    _exit(told == static_cast<ssize_t>(answer.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string answer;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) {
    answer.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0 ? answer
                     : answer + " (the child ended with status " + std::to_string(status) + ")";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool holds_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  syscall(SYS_capget, &header, data.data());
  return (data[capability / 32].effective >> (capability % 32) & 1u) != 0;
}

/// The number before "kB" in a line of /proc/self/status.
long status_kb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stol(line.substr(key.size() + 1));
  }
  return -1;
}

TEST(MemoryLock, IsNotTriedUnderASmallLimitAndTheRemedyIsNamed) {
  const std::string answer = in_child([] {
    become_unprivileged(kSmallMemoryLock);
    return lock_process_memory() + " locked " + std::to_string(status_kb("VmLck"));
  });
  EXPECT_PRED2(contains, answer, "64 kB");
  EXPECT_PRED2(contains, answer, "memlock");
  EXPECT_PRED2(contains, answer, "locked 0");
}

TEST(MemoryLock, LocksMemoryWithPrivilege) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer lets nobody lock memory";
  if (!holds_capability(CAP_IPC_LOCK)) GTEST_SKIP() << "needs CAP_IPC_LOCK";
  const std::string answer = in_child([] {
    const std::string rejection = lock_process_memory();
    return rejection + (status_kb("VmLck") > 0 ? "locked" : "not locked");
  });
  EXPECT_EQ(answer, "locked");
}

TEST(MemoryLock, DoesNotFillTheStacksOfThreads) {
  if (!holds_capability(CAP_IPC_LOCK)) GTEST_SKIP() << "needs CAP_IPC_LOCK";
  const std::string kilobytes = in_child([] {
    long growth = 0;
    std::thread([&growth] {  // a thread before memory is locked, and another one after
      const long before = status_kb("RssAnon");
      lock_process_memory();
      std::thread([&] { growth = status_kb("RssAnon") - before; }).join();
    })
        .join();
    return std::to_string(growth);
  });
  EXPECT_LT(std::stol(kilobytes), 4096);
}

TEST(MemoryLock, LoadsUntouchedConstants) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer lets nobody lock memory";
  if (!holds_capability(CAP_IPC_LOCK)) GTEST_SKIP() << "needs CAP_IPC_LOCK";
  static constexpr std::size_t kPage = 4096, kPages = 64;
  alignas(kPage) static const std::array<volatile unsigned char, kPage * kPages> constants{1};
  // A child, because it starts without the file pages that its parent has loaded.
  const auto faults_in_child = [](bool lock) {
    return std::stol(in_child([lock] {
      if (lock) lock_process_memory();
      const auto faults = [] {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return usage.ru_minflt + usage.ru_majflt;
      };
      const long before = faults();
      unsigned sum = 0;
      for (std::size_t i = 0; i < constants.size(); i += kPage) sum += constants[i];
      return sum == 1 ? std::to_string(faults() - before) : "the constants have changed";
    }));
  };
  EXPECT_GT(faults_in_child(false), 0);
  EXPECT_EQ(faults_in_child(true), 0);
}

TEST(Schedule, IsAsRequestedWherePermitted) {
  if (!holds_capability(CAP_SYS_NICE)) GTEST_SKIP() << "needs CAP_SYS_NICE";
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) ++cpu;
  std::thread([cpu] {
    RealtimeSettings settings;
    settings.priority = 7;
    settings.cpu = cpu;
    EXPECT_EQ(schedule_this_thread(settings), std::vector<std::string>{});
    sched_param parameters{};
    int policy = 0;
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    EXPECT_EQ(policy, SCHED_FIFO);
    EXPECT_EQ(parameters.sched_priority, 7);
    EXPECT_EQ(sched_getcpu(), cpu);
  }).join();
}

TEST(Schedule, EachRejectedSettingIsReported) {
  const std::string answer = in_child([] {
    become_unprivileged(0);
    RealtimeSettings settings;
    settings.priority = 50;
    settings.cpu = 100000;
    std::string all;
    for (const std::string& sentence : schedule_this_thread(settings)) all += sentence;
    return all;
  });
  EXPECT_PRED2(contains, answer, "realtime.cpu 100000 was rejected");
  EXPECT_PRED2(contains, answer, "realtime.priority 50 was rejected");
  EXPECT_PRED2(contains, answer, "rtprio");
}

TEST(Schedule, DefaultSettingsKeepSchedule) {
  std::thread([] {
    RealtimeSettings settings;
    settings.priority = 0;
    settings.cpu = -1;
    EXPECT_EQ(schedule_this_thread(settings), std::vector<std::string>{});
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  }).join();
}

TEST(ThreadName, IsCutToKernelLength) {
  std::thread([] {
    name_this_thread("a_name_longer_than_fifteen");
    std::array<char, 32> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    EXPECT_STREQ(name.data(), "a_name_longer_t");
  }).join();
}

/// A loop that requests all real-time settings.
LoopOptions ambitious(bool required) {
  LoopOptions options;
  options.realtime.priority = 80;
  options.realtime.cpu = 0;
  options.realtime.lock_memory = true;
  options.realtime.required = required;
  return options;
}

TEST(UnprivilegedLoop, RunsAndWarnsOfEveryRejectedSetting) {
  const std::string answer = in_child([] {
    become_unprivileged(kSmallMemoryLock);
    std::atomic<int> cycles{0};
    FixedRateLoop loop(ambitious(false), [&](std::int64_t, std::int64_t) { ++cycles; });
    loop.start();
    while (cycles < 3) std::this_thread::yield();
    // If memory were locked beyond the limit, no thread could be created.
    std::thread([] {}).join();
    loop.stop();
    return std::to_string(loop.warnings().size()) + " warnings";
  });
  EXPECT_EQ(answer, "2 warnings");  // memory and priority; choosing a core needs no permission
}

/// The error of start(), and whether a thread runs.
std::string start_failure(FixedRateLoop& loop) {
  try {
    loop.start();
  } catch (const RealtimeError& error) {
    return std::string(error.what()) + (loop.running() ? " running" : " not running");
  }
  return "started";
}

TEST(UnprivilegedLoop, DoesNotRunWhereRealTimeIsRequired) {
  const std::string answer = in_child([] {
    become_unprivileged(kSmallMemoryLock);
    LoopOptions options = ambitious(true);
    options.rate_hz = kFastestRate;
    std::atomic<int> cycles{0};
    FixedRateLoop loop(options, [&](std::int64_t, std::int64_t) { ++cycles; });
    return start_failure(loop) + ", cycles: " + std::to_string(cycles);
  });
  EXPECT_PRED2(contains, answer, "require_realtime is set");
  EXPECT_PRED2(contains, answer, "not running, cycles: 0");
}

TEST(LoopWithoutMemoryForAStack, FailsWithASentence) {
  const std::string answer = in_child([] {
    LoopOptions options;
    options.realtime = {0, -1, false, false};
    FixedRateLoop loop(options, [](std::int64_t, std::int64_t) {});
    const auto room = static_cast<rlim_t>(status_kb("VmSize") + 512) * 1024;
    const rlimit limit{room, room};
    setrlimit(RLIMIT_AS, &limit);
    // Use the stacks of ended threads first, which the C library keeps.
    try {
      while (true) std::thread([] { pause(); }).detach();
    } catch (const std::system_error&) {
    }
    return start_failure(loop);
  });
  EXPECT_PRED2(contains, answer, "could not be created");
  EXPECT_PRED2(contains, answer, "not running");
}

/// The policy and priority of a new thread after the call.
std::pair<int, int> schedule_below(int loop_priority, int below, int policy_before = SCHED_OTHER) {
  std::pair<int, int> result;
  std::thread([&] {
    sched_param parameters{};
    if (policy_before == SCHED_FIFO) parameters.sched_priority = 5;
    (void)pthread_setschedparam(pthread_self(), policy_before, &parameters);
    RealtimeSettings loop;
    loop.priority = loop_priority;
    schedule_below_loop(loop, below);
    (void)pthread_getschedparam(pthread_self(), &result.first, &parameters);
    result.second = parameters.sched_priority;
  }).join();
  return result;
}

TEST(ScheduleBelowLoop, LeavesOtherSchedulersAndMissingPriorities) {
  if (schedule_below(80, 1).first != SCHED_FIFO) {
    GTEST_SKIP() << "the system grants no real-time priority";
  }
  EXPECT_EQ(schedule_below(80, 1), std::pair(SCHED_FIFO, 79));
  EXPECT_EQ(schedule_below(1, 1), std::pair(SCHED_OTHER, 0));
  EXPECT_EQ(schedule_below(0, 1), std::pair(SCHED_OTHER, 0));
  EXPECT_EQ(schedule_below(80, 1, SCHED_FIFO), std::pair(SCHED_FIFO, 5));
}

}  // namespace
}  // namespace spatial_dynamics::test
