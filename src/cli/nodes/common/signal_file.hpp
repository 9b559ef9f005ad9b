// Signals as a file descriptor, so that one poll() waits for signals and other files.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>
#include <stdexcept>

namespace spatial_dynamics::cli {

/// Blocks the usual effect of these signals while it exists. Construct it before any thread.
class SignalFile {
 public:
  SignalFile(std::initializer_list<int> signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    file_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (file_ < 0) throw std::runtime_error("signals can't be read: too many files are open.");
  }
  ~SignalFile() {
    ::close(file_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  [[nodiscard]] int file() const noexcept { return file_; }
  /// The next pending signal; 0 if there is none.
  [[nodiscard]] int next() const noexcept {
    signalfd_siginfo info{};
    return ::read(file_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t before_{};
  int file_ = -1;
};

}  // namespace spatial_dynamics::cli
