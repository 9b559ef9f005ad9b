// A child process that runs this program and whose output is read.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace spatial_dynamics::cli {

/// Runs `spatial_dynamics ARGUMENTS…` with standard output and error in one pipe. The child has its
/// own session, so that Ctrl-C reaches only the parent, which decides the order in which processes
/// end. If the parent dies, the child gets SIGTERM. The child raises its priority where that is
/// permitted. Allocates; throws std::runtime_error.
class Child {
 public:
  using OnLine = std::function<void(const std::string& line)>;

  /// `title` names the process in messages: "the dynamics node".
  Child(std::string title, std::vector<std::string> arguments);
  /// Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  /// Descriptor for poll(); -1 after its end.
  [[nodiscard]] int pipe() const noexcept { return pipe_; }
  /// Reads without waiting and passes on complete lines, and at the end the rest.
  void read(const OnLine& on_line);
  void send(int signal) const noexcept;
  /// True once the process has ended.
  [[nodiscard]] bool ended() noexcept;
  /// "exit code 1", "signal 9 (Killed)". Valid after its end.
  [[nodiscard]] std::string how_it_ended() const;

 private:
  std::string title_;
  pid_t process_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::string unfinished_;  // the beginning of a line
};

}  // namespace spatial_dynamics::cli
