#include "cli/nodes/latency/latency_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "cli/nodes/common/process.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/runtime/realtime.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr int kSections = 4;
constexpr std::size_t kQuestions = 256;
constexpr std::int64_t kMillisecond = 1'000'000;  // ns
constexpr std::int64_t kAnswerLimit = 100 * kMillisecond;
constexpr std::int64_t kMeetingLimit = 20'000 * kMillisecond;
constexpr std::int64_t kEndLimit = 5'000 * kMillisecond;
constexpr std::int64_t kTimedLength = 2'000 * kMillisecond;

void sleep_until(std::int64_t time) {
  const timespec wake = to_timespec(time);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) == EINTR) {
  }
}

double load_of_the_last_minute() {
  double load = 0.0;
  return ::getloadavg(&load, 1) == 1 ? load : 0.0;
}

/// An error with the exit code or signal of the process and its last lines.
std::runtime_error early_end(Child& child) {
  std::string sentence = child.title() + " ended unexpectedly: ";
  std::string words;
  child.read([&](const std::string& line) { words += "\n  " + line; });
  return std::runtime_error(sentence + child.how_it_ended() + "." + words);
}

/// Ends a process and passes on its remaining output.
void end(Child& child, const Child::OnLine& on_line) {
  child.send(SIGINT);
  const std::int64_t deadline = steady_now_ns() + kEndLimit;
  while (!child.ended() && steady_now_ns() < deadline) {
    child.read(on_line);
    sleep_until(steady_now_ns() + kMillisecond);
  }
  child.read(on_line);
}

/// On a terminal only; 1 clears the bar.
void show_progress(double share) {
  if (::isatty(STDERR_FILENO) != 1) return;
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(std::lround(share * kWidth));
  std::string bar(static_cast<std::size_t>(filled), '#');
  bar.resize(kWidth, '.');
  if (share < 1.0) {
    std::fprintf(stderr, "\r[%s] %3.0f %%", bar.c_str(), 100.0 * share);
  } else {
    std::fprintf(stderr, "\r%*s\r", kWidth + 8, "");
  }
  (void)std::fflush(stderr);
}

LatencyOptions with_robot(LatencyOptions options) {
  if (options.model.file.empty()) options.model.file = shipped_robot();
  return options;
}

Model load(const ModelOptions& options) {
  ModelReport report;
  return load_model(options, report);
}

}  // namespace

LatencyRun::LatencyRun(const LatencyOptions& options)
    : options_(with_robot(options)),
      namespace_("/latency_" + std::to_string(::getpid())),
      model_(load(options_.model)),
      coordinates_(scalar_coordinates(model_)) {
  if (has_floating_base(model_) || coordinates_.empty()) {
    throw std::runtime_error("robot '" + model_.name() +
                             "' has a floating base or no joint that moves; choose another one.");
  }
  for (const ScalarCoordinate& coordinate : coordinates_) names_.push_back(coordinate.name);
  questions_ = make_questions(model_, kQuestions);
  dds::NodeOptions node;
  node.name = "latency";
  node.ns = namespace_;
  node_ = std::make_unique<dds::Node>(node);
}

std::vector<std::string> LatencyRun::node_arguments(const char* command, double rate_hz,
                                                    const char* trigger) const {
  std::vector<std::string> arguments;
  if (std::string(command) == "timed") arguments.emplace_back("latency_part");
  arguments.emplace_back(command);
  arguments.emplace_back("--ros-args");
  arguments.insert(arguments.end(), {"-r", "__ns:=" + namespace_});
  // States are anywhere from one to the next. Without limits every torque is the library's, and a
  // pause of this machine is not taken for a fault of the robot.
  ParameterSet parameters(parameter_table());
  for (const auto& [name, value] : robot_parameters(options_.model)) parameters.set(name, value);
  parameters.set("rate_hz", rate_hz);
  parameters.set("trigger", std::string(trigger));
  parameters.set("effort_limits", 1e9);
  parameters.set("allow_effort_above_urdf", true);
  parameters.set("torque_rate_limit", 0.0);
  parameters.set("state_jump_factor", 0.0);
  parameters.set("envelope.enabled", false);
  parameters.set("state_timeout_s", 3600.0);
  append_parameters(parameters, arguments);
  return arguments;
}

LatencyReport LatencyRun::run() {
  forbid_timer_slack();
  const int sections = std::min(kSections, options_.rounds);
  report_.robot = model_.name();
  report_.joints = names_.size();
  report_.rounds = options_.rounds;
  report_.trips = options_.trips;
  report_.sections = sections;
  report_.rate_hz = options_.rate_hz;
  report_.domain = node_->domain_id();
  report_.cores = std::thread::hardware_concurrency();
  report_.load_before = load_of_the_last_minute();
  for (int i = 0; i < sections; ++i) {
    const double done = static_cast<double>(i) / sections;
    show_progress(done);
    measure_against_echo((options_.rounds * (i + 1)) / sections - (options_.rounds * i) / sections);
    show_progress(done + 0.5 / sections);
    measure_timed();
  }
  show_progress(1.0);
  report_.loop = merged(timings_);
  report_.load_after = load_of_the_last_minute();
  return report_;
}

void LatencyRun::measure_against_echo(int rounds) {
  // Above the rate of the states, so that the node also answers a state that arrives slightly
  // early.
  constexpr double kHeadroom = 4.0;
  const double rate = std::min(20'000.0, kHeadroom * options_.rate_hz);
  RoundTrip node_trip(*node_, "joint_states", "dynamics/torque", names_);
  RoundTrip echo_trip(*node_, "echo/in", "echo/out", names_);
  Child node("the dynamics node", node_arguments("run", rate, "state"));
  Child echo("the echo", {"latency_part", "echo", "--ros-args", "-r", "__ns:=" + namespace_});
  Peer node_peer{node, node_trip, report_.node, true};
  Peer echo_peer{echo, echo_trip, report_.echo, false};
  meet(node_peer);
  meet(echo_peer);
  for (int i = 0; i < rounds; ++i) {
    const bool echo_first = i % 2 == 1;
    round(echo_first ? echo_peer : node_peer, echo_first ? node_peer : echo_peer);
  }
  const Child::OnLine ignore = [](const std::string&) {};
  end(node, ignore);
  end(echo, ignore);
}

void LatencyRun::round(Peer& first, Peer& second) {
  const auto period = static_cast<std::int64_t>(1e9 / options_.rate_hz);
  const std::array<Peer*, 2> peers{&first, &second};
  std::array<std::vector<double>, 2> durations;
  std::int64_t due = steady_now_ns();
  for (int i = 0; i < options_.trips; ++i) {
    due = std::max(due + period, steady_now_ns());  // a delay is not made up for
    for (std::size_t k = 0; k < peers.size(); ++k) {
      sleep_until(due + static_cast<std::int64_t>(k) * period / 2);
      if (const std::optional<double> duration = ask(*peers[k])) durations[k].push_back(*duration);
    }
  }
  for (std::size_t k = 0; k < peers.size(); ++k) {
    peers[k]->trips.add_round(durations[k]);
  }
}

void LatencyRun::measure_timed() {
  RoundTrip trip(*node_, "joint_states", "dynamics/torque", names_);
  Child child("the dynamics node", node_arguments("timed", options_.rate_hz, "timer"));
  Peer peer{child, trip, report_.timed, true};
  meet(peer);
  // Every second cycle, since an answer takes longer than one. The period is slightly longer, so
  // that within a second the states arrive at all phases of the cycle.
  const auto period = static_cast<std::int64_t>(2e9 / options_.rate_hz * (1.0 + 1.0 / 997.0));
  std::int64_t due = steady_now_ns();
  for (const std::int64_t until = due + kTimedLength; due < until;) {
    due = std::max(due + period, steady_now_ns());
    sleep_until(due);
    if (const std::optional<double> duration = ask(peer)) peer.trips.all.push_back(*duration);
  }
  LoopTiming timing;
  bool received = false;
  std::string words;
  end(child, [&](const std::string& line) {
    if (read_timing(line, timing)) {
      received = true;
    } else {
      words += "\n  " + line;
    }
  });
  if (!received) {
    throw std::runtime_error("the dynamics node has not printed its timing." + words);
  }
  timings_.push_back(timing);
}

void LatencyRun::meet(Peer& peer) {
  const std::int64_t deadline = steady_now_ns() + kMeetingLimit;
  const std::uint64_t lost = peer.trips.lost;
  bool met = false;
  while (!met) {
    if (peer.child.ended()) throw early_end(peer.child);
    if (steady_now_ns() > deadline) {
      throw std::runtime_error(peer.child.title() + " does not answer within " +
                               std::to_string(kMeetingLimit / kNanosecondsPerSecond) +
                               " s; is something else in domain " + std::to_string(report_.domain) +
                               "?");
    }
    met = peer.trip.connected() && ask(peer).has_value();
    if (!met) sleep_until(steady_now_ns() + kMillisecond);
  }
  peer.trips.lost = lost;  // states sent before the connection do not count
}

std::optional<double> LatencyRun::ask(Peer& peer) {
  const Question& question = questions_[next_question_];
  next_question_ = (next_question_ + 1) % questions_.size();
  const std::optional<std::int64_t> ns = peer.trip.ask(question.state, kAnswerLimit);
  if (!ns) {
    ++peer.trips.lost;
    if (peer.child.ended()) throw early_end(peer.child);
    return std::nullopt;
  }
  check(peer, question);
  return static_cast<double>(*ns) * 1e-3;
}

void LatencyRun::check(const Peer& peer, const Question& question) {
  const std::vector<double>& expected = peer.computes ? question.torque : question.state.effort;
  const std::vector<double>& given = peer.trip.efforts();
  if (given.size() != expected.size()) {
    throw std::runtime_error(peer.child.title() + " answers with " + std::to_string(given.size()) +
                             " efforts instead of " + std::to_string(expected.size()) + ".");
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double difference = std::abs(given[k] - expected[k]) / (1.0 + std::abs(expected[k]));
    if (!(difference <= kTolerance)) {
      throw std::runtime_error(peer.child.title() + " answers " + std::to_string(given[k]) +
                               " for joint '" + names_[k] + "', but the library computes " +
                               std::to_string(expected[k]) + ".");
    }
    if (peer.computes)
      report_.largest_difference = std::max(report_.largest_difference, difference);
  }
  if (peer.computes) ++report_.torques_compared;
}

}  // namespace spatial_dynamics::cli
