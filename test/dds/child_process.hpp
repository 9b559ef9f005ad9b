// A child process with a separate environment, whose output is read line by line.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spatial_dynamics::test {

/// The destructor ends the process, with SIGKILL if necessary.
class ChildProcess {
 public:
  /// `error_file`, if given, becomes its standard error.
  ChildProcess(std::vector<std::string> command,
               const std::map<std::string, std::string>& variables, int error_file = -1) {
    std::array<int, 2> out{};
    if (::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    // Allocates before the fork, because other threads may hold the heap's lock.
    std::vector<std::string> settings;
    for (const auto& [name, value] : variables) settings.push_back(name + '=' + value);
    for (const char* const name :
         {"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
      const char* const value = std::getenv(name);  // options of the sanitizers
      if (value != nullptr) settings.push_back(std::string(name) + '=' + value);
    }
    std::vector<char*> argv = pointers(command);
    std::vector<char*> envp = pointers(settings);
    child_ = ::fork();
    if (child_ == 0) {
      ::signal(SIGHUP, SIG_DFL);  // tests may run under nohup
      ::dup2(out[1], STDOUT_FILENO);
      if (error_file >= 0) ::dup2(error_file, STDERR_FILENO);
      ::execve(argv[0], argv.data(), envp.data());
      ::_exit(127);
    }
    ::close(out[1]);
    out_ = out[0];
  }
  ~ChildProcess() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      (void)wait();
    }
    ::close(out_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its next line without the line feed; empty if no line arrives within ten seconds.
  [[nodiscard]] std::string read_line() const {
    std::string line;
    for (char c = 0;;) {
      pollfd waiting{out_, POLLIN, 0};
      if (::poll(&waiting, 1, 10000) <= 0 || ::read(out_, &c, 1) != 1) return {};
      if (c == '\n') return line;
      line += c;
    }
  }
  [[nodiscard]] pid_t id() const { return child_; }
  /// Waits until SIGSTOP takes effect: a thread on another processor may continue for a while.
  void send(int signal) const {
    ::kill(child_, signal);
    siginfo_t info;
    if (signal == SIGSTOP) ::waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED);
  }
  /// Whether it has ended within this time; wait() then returns at once.
  [[nodiscard]] bool ends_within(std::chrono::milliseconds limit) const {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    siginfo_t info{};
    while (std::chrono::steady_clock::now() < deadline) {
      info.si_pid = 0;
      ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid != 0) return true;
      ::usleep(2000);
    }
    return false;
  }
  /// The exit code; 128 + signal if it was killed.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  pid_t child_ = -1;
  int out_ = -1;
};

}  // namespace spatial_dynamics::test
