#include "cli/nodes/common/child.hpp"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <string.h>  // NOLINT(modernize-deprecated-headers): sigdescr_np
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";

/// Raises the priority of the middleware's threads, which have no real-time priority, so that
/// messages do not wait for other programs. Nice values order the threads of a session; between
/// sessions the nice value of the autogroup counts. Most users are permitted neither, which is
/// ignored.
void raise_priority() {
  ::setpriority(PRIO_PROCESS, 0, -15);
  const int group = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group >= 0 && ::write(group, "-15", 3) != 3) return;
}

/// Between fork and exec only system calls are allowed: other threads may have held any lock.
[[noreturn]] void become(char* const* argv, int output, pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // the parent has already died
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  raise_priority();
  ::close_range(STDERR_FILENO + 1, UINT_MAX, 0);  // do not inherit the middleware's sockets
  ::execv(kThisProgram, argv);
  ::_exit(127);
}

}  // namespace

Child::Child(std::string title, std::vector<std::string> arguments) : title_(std::move(title)) {
  std::array<int, 2> ends{};
  const auto fail = [this] {
    throw std::runtime_error(title_ +
                             " can't be started: " + std::generic_category().message(errno) + ".");
  };
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) fail();
  arguments.insert(arguments.begin(), "spatial_dynamics");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    ::fcntl(ends[1], F_SETFL, 0);  // the child's writes may block
    become(argv.data(), ends[1], parent);
  }
  ::close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    ::close(pipe_);
    fail();
  }
}

Child::~Child() {
  if (!ended()) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
  }
  if (pipe_ >= 0) ::close(pipe_);
}

void Child::read(const OnLine& on_line) {
  std::array<char, 4096> chunk{};
  ssize_t got = 0;
  while (pipe_ >= 0 && (got = ::read(pipe_, chunk.data(), chunk.size())) > 0) {
    unfinished_.append(chunk.data(), static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end = 0; (end = unfinished_.find('\n', start)) != std::string::npos;) {
      on_line(unfinished_.substr(start, end - start));
      start = end + 1;
    }
    unfinished_.erase(0, start);
  }
  if (pipe_ >= 0 && (got == 0 || (errno != EAGAIN && errno != EINTR))) {
    ::close(std::exchange(pipe_, -1));
    if (!unfinished_.empty()) on_line(std::exchange(unfinished_, {}));
  }
}

void Child::send(int signal) const noexcept {
  if (!ended_) ::kill(process_, signal);
}

bool Child::ended() noexcept {
  if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
  return ended_;
}

std::string Child::how_it_ended() const {
  if (WIFEXITED(status_)) return "exit code " + std::to_string(WEXITSTATUS(status_));
  const char* const name = ::sigdescr_np(WTERMSIG(status_));
  return "signal " + std::to_string(WTERMSIG(status_)) +
         (name == nullptr ? std::string() : " (" + std::string(name) + ")");
}

}  // namespace spatial_dynamics::cli
