#include "demo_run.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "../exit_code.hpp"
#include "../line_io.hpp"
#include "process.hpp"
#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kSecondsWithoutTerminal = 10.0;
constexpr double kViewSeconds = 0.1, kLineSeconds = 1.0;
constexpr double kCompanySeconds = 0.3;  // in which others on this host are found
constexpr double kStartSeconds = 20.0;   // in which the first torque must come
// The node takes half a second, or more than one where the robot does not answer; the robot a few milliseconds.
constexpr double kDynamicsPatience = 2.0, kRobotPatience = 1.0;  // s
constexpr double kSecondThoughtSeconds = 0.25;
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
      live_(Screen::available()),
      style_(style_from_environment()) {
  if (seconds_ <= 0.0 && !live_) seconds_ = kSecondsWithoutTerminal;
  record_ = options.record;
  if (!record_.empty()) node_.record_to(DemoRecorder(record_, node_.subject()));
}

int DemoRun::run() {
  refuse_company();
  started_ = steady_now_ns();
  simulator_.child.emplace("the simulated robot", setup_.simulator_arguments);
  dynamics_.child.emplace("the dynamics node", setup_.dynamics_arguments);
  if (live_) screen_.emplace();
  watch();
  end_children();
  screen_.reset();
  report();
  return failure_.empty() ? kSuccess : kRefused;
}

void DemoRun::refuse_company() const {
  const std::int64_t deadline = after(steady_now_ns(), kCompanySeconds);
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
      ": somebody publishes " +
      (node_.state_publishers() > 0 ? node_.states_topic() : setup_.dynamics + "/torque") +
      "; end it, or choose another domain with ROS_DOMAIN_ID.");
}

void DemoRun::watch() {
  const std::int64_t deadline = after(started_, kStartSeconds);
  while (!ending_) {
    const std::int64_t due =
        std::min(next_view_, next_reference_ == 0 ? next_view_ : next_reference_);
    wait(std::clamp(seconds_until(due), 0.0, 0.01 + (begun_ ? 0.1 : 0.0)));
    heed_signals();
    failure_ = find_failure();
    if (!failure_.empty()) return;
    if (!begun_ && node_.ready()) {
      begun_ = true;
      node_.begin();
      next_reference_ = steady_now_ns();
      next_view_ = live_ ? 0 : after(next_reference_, kLineSeconds);
      if (!live_) {
        const DemoSubject& s = node_.subject();
        say(s.robot + ": " + std::to_string(s.joints.size()) + " joints, " + s.mode + "\n");
      }
    }
    if (!begun_ && seconds_until(deadline) < 0.0) {
      failure_ = "no torque came within " + std::to_string(static_cast<int>(kStartSeconds)) +
                 " s; the node says: " + node_.reading().message;
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

void DemoRun::heed_signals() {
  for (int signal = 0; (signal = signals_.next()) != 0;) {
    if (signal == SIGWINCH) {
      next_view_ = 0;
    } else if (signal == SIGTSTP) {
      if (screen_) screen_->leave();
      ::raise(SIGSTOP);  // until `fg`
      if (screen_) screen_->enter();
      next_view_ = 0;
    } else if (signal != SIGCHLD) {
      // `timeout` and launch send theirs twice at once; a person who can't wait any longer is slower.
      const std::int64_t now = steady_now_ns();
      if (told_to_end_ == 0) told_to_end_ = now;
      killed_ = killed_ || now > after(told_to_end_, kSecondThoughtSeconds);
      ending_ = true;
    }
  }
}

void DemoRun::read_logs(Part& part) {
  part.child->read([&](const std::string& line) {
    keep(log_, line, kLogLines);
    keep(part.last_lines, line, kLastLines);
    if (!live_) std::fprintf(stderr, "%s\n", line.c_str());
  });
}

std::string DemoRun::find_failure() {
  for (Part* const part : {&simulator_, &dynamics_}) {
    if (!part->child->ended()) continue;
    read_logs(*part);
    std::string sentence =
        part->child->title() + " has ended too early: " + part->child->how_it_ended() + ".";
    if (live_) {
      for (const std::string& line : part->last_lines) sentence += "\n  " + line;
    }
    return sentence;
  }
  if (node_.state_publishers() > 1 || node_.torque_publishers() > 1) {
    return "another robot or node has come into domain " + std::to_string(node_.subject().domain) +
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
    say(plain_line(node_.subject(), node_.reading()));
  }
}

void DemoRun::end_children() {
  if (begun_) outcome_ = node_.whole_run();  // before the torque is taken away
  if (!node_.end_record() && failure_.empty()) {
    failure_ = record_ + " could not be written to its end; is the disk full?";
  }
  ending_ = true;
  // The node first: it ramps its torque to zero, which it can do well only while the robot answers.
  for (Part* const part : {&dynamics_, &simulator_}) {
    const bool clean = end(*part, part == &dynamics_ ? kDynamicsPatience : kRobotPatience);
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
    heed_signals();
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

/// Ends the demo where nobody reads any more, and as a failure where the text is lost.
void DemoRun::say(const std::string& text) {
  Output output(STDOUT_FILENO);
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
  if (live_) {  // what was on the screen is gone, and not all of it was good news
    std::string before;
    for (const std::string& line : log_) {
      const bool odd = line.rfind("[INFO]", 0) != 0;
      if (odd && failure_.find(line) == std::string::npos)
        std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  if (outcome_) say((live_ ? "" : "\n") + summary(node_.subject(), *outcome_));
  if (!setup_.remark.empty()) say("  remark           " + setup_.remark + "\n");
  if (!failure_.empty()) std::fprintf(stderr, "%s\n", failure_.c_str());
}

}  // namespace spatial_dynamics::cli
