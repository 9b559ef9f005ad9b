// This program again, as a process beside us whose log we read.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace spatial_dynamics::cli {

/// Runs `spatial_dynamics ARGUMENTS…` with both of its outputs in a pipe. It is in a session of its own, so that Ctrl-C
/// reaches us alone and we decide who ends first. If we die, it gets SIGTERM. Where that is permitted, it comes before other
/// programs. Allocates; throws std::runtime_error.
class Child {
 public:
  using OnLine = std::function<void(const std::string& line)>;

  /// `title` names it in sentences: "the dynamics node".
  Child(std::string title, std::vector<std::string> arguments);
  /// Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  /// Readable when there is something to read; -1 after its end.
  [[nodiscard]] int pipe() const noexcept { return pipe_; }
  /// Reads what is there, without waiting, and hands over whole lines (at its end the rest too).
  void read(const OnLine& on_line);
  void send(int signal) const noexcept;
  /// True once it has ended, and from then on.
  [[nodiscard]] bool ended() noexcept;
  /// "exit code 1", "signal 9 (Killed)". After its end.
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
