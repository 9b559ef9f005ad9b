#include "runtime/end_signals.hpp"

#include <pthread.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <thread>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// SIG_DFL, SIG_IGN or a handler of either kind.
sighandler_t action_of(int signal) noexcept {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

}  // namespace

const std::vector<int>& EndSignals::ending() {
  static const std::vector<int> kSignals{SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                         SIGTSTP, SIGXCPU, SIGPWR};
  return kSignals;
}

const std::vector<int>& EndSignals::ignored() {
  static const std::vector<int> kSignals = [] {
    std::vector<int> signals{SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,  SIGPOLL,
                             SIGPIPE, SIGXFSZ, SIGTTIN, SIGTTOU,   SIGSTKFLT};
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) signals.push_back(signal);
    return signals;
  }();
  return kSignals;
}

EndSignals::EndSignals(const std::vector<int>& ending) {
  sigemptyset(&set_);
  for (const int signal : ending) {
    if (signal != SIGHUP || action_of(SIGHUP) != SIG_IGN) sigaddset(&set_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  for (const int signal : ignored()) {
    if (action_of(signal) == SIG_DFL) ::signal(signal, SIG_IGN);
  }
}

int EndSignals::wait(double seconds) const {
  const std::int64_t deadline = steady_now_ns() + static_cast<std::int64_t>(seconds * 1e9);
  while (true) {
    if (seconds <= 0.0) {
      const int signal = ::sigwaitinfo(&set_, nullptr);
      if (signal > 0) return signal;
      continue;  // interrupted by a handler
    }
    const std::int64_t left = deadline - steady_now_ns();
    if (left <= 0) return 0;
    const timespec timeout = to_timespec(left);
    const int signal = ::sigtimedwait(&set_, nullptr, &timeout);
    if (signal > 0) return signal;
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
}

bool EndSignals::pending() const noexcept {
  sigset_t now;
  if (::sigpending(&now) != 0) return false;
  for (const int signal : ending()) {
    if (sigismember(&set_, signal) == 1 && sigismember(&now, signal) == 1) return true;
  }
  return false;
}

void end_process_after(std::chrono::milliseconds limit, int exit_code) {
  std::thread([limit, exit_code] {
    std::this_thread::sleep_for(limit);
    ::_exit(exit_code);
  }).detach();
}

}  // namespace spatial_dynamics
