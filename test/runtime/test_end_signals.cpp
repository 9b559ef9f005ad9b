// The signals that end a program and those that it ignores. Tests run in child processes, because
// signals change the whole process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <functional>

#include "runtime/end_signals.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/generated_file.hpp"

namespace spatial_dynamics::test {
namespace {

/// The exit code of `body` in a child; 128 + signal if one killed it.
int in_a_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(EndSignals, ReturnsEveryEndSignal) {
  for (const int signal : EndSignals::ending()) {
    EXPECT_EQ(in_a_child([signal] {
                ::signal(SIGHUP, SIG_DFL);  // tests may run under nohup
                const EndSignals signals;
                if (signals.pending()) return 1;
                ::raise(signal);
                if (!signals.pending()) return 2;
                return signals.wait(10.0);
              }),
              signal);
  }
}

TEST(EndSignals, LaterSignalsDoNotKillAfterDestruction) {
  EXPECT_EQ(in_a_child([] {
              {
                const EndSignals signals;
                ::raise(SIGTERM);
                (void)signals.wait(10.0);
              }
              for (const int signal : EndSignals::ending()) ::raise(signal);
              return 42;
            }),
            42);
}

TEST(EndSignals, IgnoresTheOthers) {
  for (const int signal : EndSignals::ignored()) {
    EXPECT_EQ(in_a_child([signal] {
                const EndSignals signals;
                ::raise(signal);
                return 42;
              }),
              42)
        << signal;
  }
}

TEST(EndSignals, EverySignalIsInExactlyOneGroup) {
  // Signals that can't be caught, that mean a fault of the program, or that by default do nothing.
  const std::vector<int> others{SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGFPE, SIGILL,  SIGABRT,
                                SIGTRAP, SIGSYS,  SIGCHLD, SIGCONT, SIGURG, SIGWINCH};
  const auto has = [](const std::vector<int>& signals, int signal) {
    return std::find(signals.begin(), signals.end(), signal) != signals.end();
  };
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (signal >= 32 && signal < SIGRTMIN) continue;  // the C library's own
    EXPECT_EQ(has(EndSignals::ending(), signal) + has(EndSignals::ignored(), signal) +
                  has(others, signal),
              1)
        << signal;
  }
}

/// test/ros2/test_end.py reads the signals from this table.
TEST(EndSignals, SafetyPageListsThem) {
  const std::string page = source_file("docs/safety.md");
  const auto line_of = [&page](int signal) {
    const std::string name = std::string("SIG") + ::sigabbrev_np(signal);
    std::size_t at = page.find("## Signals");
    while ((at = page.find("\n| SIG", at + 1)) != std::string::npos) {
      const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
      std::size_t word = line.find(name);
      while (word != std::string::npos && std::isalnum(line[word + name.size()]) != 0) {
        word = line.find(name, word + 1);
      }
      if (word != std::string::npos) return line;
    }
    return std::string();
  };
  for (const int signal : EndSignals::ending()) {
    EXPECT_NE(line_of(signal).find("| ramps to zero and ends"), std::string::npos) << signal;
  }
  for (const int signal : EndSignals::ignored()) {
    if (signal >= SIGRTMIN) continue;  // a range in the table
    EXPECT_NE(line_of(signal).find("| ignored"), std::string::npos) << signal;
  }
}

TEST(EndSignals, KeepsHandlersOfOthersAndNohup) {
  EXPECT_EQ(in_a_child([] {
              static volatile sig_atomic_t handled = 0;
              ::signal(SIGUSR1, [](int) { handled = 1; });
              ::signal(SIGHUP, SIG_IGN);
              const EndSignals signals;
              ::raise(SIGUSR1);
              ::raise(SIGHUP);
              if (handled != 1) return 1;
              return signals.wait(0.05) == 0 ? 42 : 2;
            }),
            42);
}

TEST(EndSignals, WaitEndsAfterItsTime) {
  EXPECT_EQ(in_a_child([] {
              const EndSignals signals;
              const std::int64_t start = steady_now_ns();
              if (signals.wait(0.05) != 0) return 1;
              return steady_now_ns() - start >= 50'000'000 ? 42 : 2;
            }),
            42);
}

}  // namespace
}  // namespace spatial_dynamics::test
