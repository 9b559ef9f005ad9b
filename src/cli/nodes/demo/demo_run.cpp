#include "cli/nodes/demo/demo_run.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "cli/nodes/common/process.hpp"
#include "cli/subcommands.hpp"
#include "runtime/standard_error_log.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kSecondsWithoutTerminal = 10.0;
constexpr double kViewSeconds = 0.1, kLineSeconds = 1.0;
constexpr double kDiscoverySeconds = 0.3;  // for discovery of other nodes on this host
constexpr double kStartSeconds = 20.0;     // until the first torque
// Time for a process to end. The node needs 0.5 s, or over 1 s if the robot does not answer; the
// robot needs a few milliseconds.
constexpr double kDynamicsEndSeconds = 2.0, kRobotEndSeconds = 1.0;
constexpr double kRepeatSeconds = 0.25;
constexpr std::size_t kLogLines = 200, kLastLines = 8;

std::int64_t after(std::int64_t time, double seconds) {
  return time + static_cast<std::int64_t>(seconds * 1e9);
}
double seconds_until(std::int64_t time) {
  return static_cast<double>(time - steady_now_ns()) * 1e-9;
}

void keep(std::deque<std::string>& lines, const std::string& line, std::size_t most) {
  lines.push_back(line);
  if (lines.size() > most) lines.pop_front();
}

}  // namespace

DemoRun::DemoRun(const DemoOptions& options, const dds::RosArguments& ros)
    : seconds_(options.seconds),
      signals_{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH, SIGCHLD},
      setup_(make_demo_setup(options, ros)),
      node_(node_options(ros, "demo"), setup_.dynamics, setup_.subject, setup_.reference),
      live_(Screen::available() && options.record != kStandardOutput),
      style_(style_from_environment()) {
  if (seconds_ <= 0.0 && !live_) seconds_ = kSecondsWithoutTerminal;
  if (setup_.hand) node_.add_hand(setup_.simulator, *setup_.hand);
  record_ = options.record;
  if (!record_.empty()) node_.record_to(DemoRecorder(record_, node_.subject()));
}

int DemoRun::run() {
  require_empty_domain();
  started_ = steady_now_ns();
  simulator_.child.emplace("the simulated robot", setup_.simulator_arguments);
  dynamics_.child.emplace("the dynamics node", setup_.dynamics_arguments);
  if (live_) screen_.emplace();
  watch();
  end_children();
  screen_.reset();
  report();
  return failure_.empty() ? kSuccess : kFailure;
}

void DemoRun::require_empty_domain() const {
  const std::int64_t deadline = after(steady_now_ns(), kDiscoverySeconds);
  const auto alone = [this] {
    return node_.state_publishers() == 0 && node_.torque_publishers() == 0;
  };
  while (alone() && seconds_until(deadline) > 0.0) {
    pollfd waiting{signals_.file(), 0, 0};
    ::poll(&waiting, 1, 10);
  }
  if (alone()) return;
  throw std::runtime_error(
      "another robot or node is already in domain " + std::to_string(node_.subject().domain) +
      ": another process publishes " +
      (node_.state_publishers() > 0 ? node_.states_topic() : setup_.dynamics + "/torque") +
      "; end it, or choose another domain with ROS_DOMAIN_ID.");
}

void DemoRun::watch() {
  const std::int64_t deadline = after(started_, kStartSeconds);
  while (!ending_) {
    const std::int64_t due =
        std::min(next_view_, next_reference_ == 0 ? next_view_ : next_reference_);
    wait(std::clamp(seconds_until(due), 0.0, 0.01 + (begun_ ? 0.1 : 0.0)));
    handle_signals();
    failure_ = find_failure();
    if (!failure_.empty()) return;
    if (!begun_ && node_.ready()) {
      begun_ = true;
      node_.begin();
      next_reference_ = steady_now_ns();
      next_view_ = live_ ? 0 : after(next_reference_, kLineSeconds);
      if (!live_) {
        const DemoSubject& s = node_.subject();
        print(s.robot + ": " + std::to_string(s.joints.size()) + " joints, " + s.mode + "\n");
      }
    }
    if (!begun_ && seconds_until(deadline) < 0.0) {
      failure_ = "no torque arrived within " + std::to_string(static_cast<int>(kStartSeconds)) +
                 " s; the node reports: " + node_.reading().message;
      return;
    }
    if (begun_ && seconds_until(next_reference_) <= 0.0) {
      node_.send_reference();
      next_reference_ = after(steady_now_ns(), DemoNode::kReferencePeriodSeconds);
    }
    show(false);
    if (begun_ && seconds_ > 0.0 && node_.reading().seconds >= seconds_) ending_ = true;
  }
}

void DemoRun::wait(double seconds) {
  std::array<pollfd, 4> files{{{signals_.file(), POLLIN, 0},
                               {screen_ ? screen_->keys() : -1, POLLIN, 0},
                               {simulator_.child->pipe(), POLLIN, 0},
                               {dynamics_.child->pipe(), POLLIN, 0}}};
  ::poll(files.data(), files.size(), static_cast<int>(std::ceil(seconds * 1e3)));
  if (files[1].revents != 0 && Screen::quit_pressed()) ending_ = true;
  read_logs(simulator_);
  read_logs(dynamics_);
}

void DemoRun::handle_signals() {
  for (int signal = 0; (signal = signals_.next()) != 0;) {
    if (signal == SIGWINCH) {
      next_view_ = 0;
    } else if (signal == SIGTSTP) {
      if (screen_) screen_->leave();
      ::raise(SIGSTOP);  // until `fg`
      if (screen_) screen_->enter();
      next_view_ = 0;
    } else if (signal != SIGCHLD) {
      // `timeout` and launch send a signal twice at once. A signal after kRepeatSeconds is from a
      // user who wants to end the demo immediately: it kills the processes.
      const std::int64_t now = steady_now_ns();
      if (first_end_signal_ == 0) first_end_signal_ = now;
      killed_ = killed_ || now > after(first_end_signal_, kRepeatSeconds);
      ending_ = true;
    }
  }
}

void DemoRun::read_logs(Part& part) {
  part.child->read([&](const std::string& line) {
    keep(log_, line, kLogLines);
    keep(part.last_lines, line, kLastLines);
    if (!live_) print_to_standard_error(line);
  });
}

std::string DemoRun::find_failure() {
  for (Part* const part : {&simulator_, &dynamics_}) {
    if (!part->child->ended()) continue;
    read_logs(*part);
    std::string sentence =
        part->child->title() + " ended unexpectedly: " + part->child->how_it_ended() + ".";
    if (live_) {
      for (const std::string& line : part->last_lines) sentence += "\n  " + line;
    }
    return sentence;
  }
  if (node_.state_publishers() > 1 || node_.torque_publishers() > 1) {
    return "another robot or node has joined domain " + std::to_string(node_.subject().domain) +
           "; choose another domain for one of them with ROS_DOMAIN_ID.";
  }
  return {};
}

void DemoRun::show(bool now) {
  if (!now && seconds_until(next_view_) > 0.0) return;
  next_view_ = after(std::max(next_view_, after(steady_now_ns(), -kViewSeconds)),
                     live_ ? kViewSeconds : kLineSeconds);
  if (live_) {
    const std::vector<std::string> lines(log_.begin(), log_.end());
    if (!Screen::show(live_view(node_.subject(), node_.reading(), lines, Screen::size(), style_))) {
      ending_ = true;
    }
  } else if (begun_) {
    print(plain_line(node_.subject(), node_.reading()));
  }
}

void DemoRun::end_children() {
  if (begun_) outcome_ = node_.whole_run();  // before the torque is ramped to zero
  if (!node_.end_record() && failure_.empty()) {
    failure_ = record_ == kStandardOutput
                   ? "the record could not be written: standard output was closed."
                   : record_ + " could not be written completely; is the disk full?";
  }
  ending_ = true;
  // The node first: to ramp its torque to zero it needs the robot's states.
  for (Part* const part : {&dynamics_, &simulator_}) {
    const bool clean = end(*part, part == &dynamics_ ? kDynamicsEndSeconds : kRobotEndSeconds);
    if (!clean && failure_.empty()) {
      failure_ = part->child->title() + " did not end in time and was killed.";
    }
  }
}

bool DemoRun::end(Part& part, double seconds) {
  const std::int64_t deadline = after(steady_now_ns(), seconds);
  part.child->send(SIGINT);
  while (!part.child->ended()) {
    wait(0.01);
    handle_signals();
    if (killed_ || seconds_until(deadline) < 0.0) {
      part.child->send(SIGKILL);
      while (!part.child->ended()) wait(0.01);
      return false;
    }
    if (begun_ && seconds_until(next_reference_) <= 0.0) {
      node_.send_reference();
      next_reference_ = after(steady_now_ns(), DemoNode::kReferencePeriodSeconds);
    }
  }
  read_logs(part);
  return true;
}

/// Ends the demo if the reader has closed its end, and with a failure if the text is lost.
void DemoRun::print(const std::string& text) {
  Output output(record_ == kStandardOutput ? STDERR_FILENO : STDOUT_FILENO);
  output.text() = text;
  try {
    output.flush();
    ending_ = ending_ || output.closed();
  } catch (const std::exception& error) {
    ending_ = true;
    if (failure_.empty()) failure_ = error.what();
  }
}

void DemoRun::report() {
  if (live_) {  // the screen is gone: repeat warnings and errors
    for (const std::string& line : log_) {
      const bool is_problem = level_of_line(line) != LogLevel::kInfo;
      if (is_problem && failure_.find(line) == std::string::npos) print_to_standard_error(line);
    }
  }
  if (outcome_) print((live_ ? "" : "\n") + summary(node_.subject(), *outcome_));
  if (!setup_.remark.empty()) print("  remark           " + setup_.remark + "\n");
  if (!failure_.empty()) print_to_standard_error(failure_);
}

}  // namespace spatial_dynamics::cli
