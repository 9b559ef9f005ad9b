// Starts the command line as a user would: arguments and standard input in, text and exit code out.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace spatial_dynamics::test {

using Json = nlohmann::json;

/// A running `spatial_dynamics` with pipes on its three standard streams.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    std::signal(SIGPIPE, SIG_IGN);  // a child that ends early must not end the test
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    for (auto* pipe : {&in, &out, &err}) {
      if (::pipe2(pipe->data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    arguments.insert(arguments.begin(), SPATIAL_DYNAMICS_CLI_PATH);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      std::signal(SIGPIPE, SIG_DFL);
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(err[1], STDERR_FILENO);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
  }
  ~Process() {
    close_input();
    close_output();
    ::close(err_);
    if (child_ > 0) (void)wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Writes all of a short text.
  void write(const std::string& text) const {
    if (::write(in_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      throw std::runtime_error("the process does not read");
    }
  }
  /// Waits for one line of its output for at most ten seconds; empty if no line arrives.
  [[nodiscard]] std::string read_line() const {
    std::string line;
    for (char c = 0; c != '\n'; line += c) {
      pollfd waiting{out_, POLLIN, 0};
      if (::poll(&waiting, 1, 10000) <= 0 || ::read(out_, &c, 1) != 1) return {};
    }
    return line;
  }
  /// Its standard error until it ends.
  [[nodiscard]] std::string read_errors() const {
    std::string errors;
    while (collect(err_, errors)) {
    }
    return errors;
  }
  /// Feeds the input and collects both outputs until the process closes them.
  void exchange(std::string_view input, std::string& output, std::string& errors) {
    ::fcntl(in_, F_SETFL, O_NONBLOCK);
    bool out_open = true;
    bool err_open = true;
    while (out_open || err_open) {
      if (input.empty()) close_input();
      std::array<pollfd, 3> files{{{in_, POLLOUT, 0},
                                   {out_open ? out_ : -1, POLLIN, 0},
                                   {err_open ? err_ : -1, POLLIN, 0}}};
      ::poll(files.data(), files.size(), -1);
      if (files[0].revents != 0 && in_ >= 0) {
        const ssize_t written = ::write(in_, input.data(), input.size());
        if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
        if (written < 0 && errno == EPIPE) input = {};
      }
      if (files[1].revents != 0) out_open = collect(out_, output);
      if (files[2].revents != 0) err_open = collect(err_, errors);
    }
  }
  void close_input() {
    if (in_ >= 0) ::close(in_);
    in_ = -1;
  }
  void close_output() {
    if (out_ >= 0) ::close(out_);
    out_ = -1;
  }
  [[nodiscard]] pid_t id() const noexcept { return child_; }
  /// Waits until SIGSTOP has stopped all threads.
  void send(int signal) const noexcept {
    if (child_ <= 0) return;  // it has ended; -1 would be every process
    ::kill(child_, signal);
    siginfo_t info;
    if (signal == SIGSTOP) ::waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED);
  }
  /// The exit code; 128 + signal if it was killed.
  int wait() {
    int status = 0;
    rusage usage{};
    ::wait4(child_, &status, 0, &usage);
    child_ = -1;
    cpu_s_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Its processor time, after wait().
  [[nodiscard]] double cpu_s() const noexcept { return cpu_s_; }

 private:
  static double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  static bool collect(int file, std::string& text) {
    std::array<char, 65536> chunk{};
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t child_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  double cpu_s_ = 0.0;
};

struct Outcome {
  int exit_code = -1;
  std::string output;
  std::string errors;
  double cpu_s = 0.0;  ///< processor time

  /// The output as JSON, a value per line.
  [[nodiscard]] std::vector<Json> lines() const {
    std::vector<Json> values;
    std::istringstream text(output);
    for (std::string line; std::getline(text, line);) values.push_back(Json::parse(line));
    return values;
  }
};

inline Outcome run_cli(std::vector<std::string> arguments, std::string_view input = "") {
  Outcome outcome;
  Process process(std::move(arguments));
  process.exchange(input, outcome.output, outcome.errors);
  outcome.exit_code = process.wait();
  outcome.cpu_s = process.cpu_s();
  return outcome;
}

}  // namespace spatial_dynamics::test
