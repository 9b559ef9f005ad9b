#include "runtime/dynamics_report.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

std::string milliseconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(ns) * 1e-6);
  return text;
}

Metric metric_of(const char* name, const HistogramSnapshot& h) {
  const auto ms = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-6; };
  return {name,
          "ms",
          h.mean() * 1e-6,
          ms(h.min()),
          ms(h.max()),
          ms(h.quantile(0.5)),
          ms(h.quantile(0.99)),
          h.count()};
}

void raise(Diagnostics& diagnostics, Diagnostics::Level level, const std::string& text) {
  if (level > diagnostics.level) {
    diagnostics.level = level;
    diagnostics.message = text + (diagnostics.message.empty() ? "" : "; " + diagnostics.message);
  } else {
    diagnostics.message += (diagnostics.message.empty() ? "" : "; ") + text;
  }
}

/// Problems of states that are accepted.
void report_states(const Inbox& inbox, const Config& config, Diagnostics& diagnostics) {
  using Level = Diagnostics::Level;
  const std::string disputed = inbox.disputed_joint();
  if (!disputed.empty()) {
    raise(diagnostics, Level::kWarning,
          "states of joint '" + disputed + "' come from two publishers");
  }
  if (inbox.odometry_disputed()) {
    raise(diagnostics, Level::kWarning, "base state (odom) comes from two publishers");
  }
  const std::string without_effort = inbox.joint_without_effort();
  if (config.effort_source == EffortSource::kMeasured && !without_effort.empty()) {
    raise(diagnostics, Level::kWarning,
          "states of joint '" + without_effort +
              "' carry no effort, so accelerations and ~/external_torque are not sent: publish "
              "efforts, or set forward.effort_source to auto or own");
  }
  const std::string undamped = inbox.joint_without_velocity();
  if (!undamped.empty() && config.torque_mode == TorqueMode::kComputedTorque &&
      config.missing_velocity == MissingVelocity::kZero) {
    raise(diagnostics, Level::kWarning,
          "states of joint '" + undamped +
              "' carry no velocity, so computed_torque does not damp it: publish velocities, or "
              "set missing_velocity to differentiate");
  }
  const double lag_s = to_seconds(inbox.stamp_lag());
  if (lag_s > config.state_timeout_s) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", lag_s);
    raise(diagnostics, Level::kWarning,
          std::string("stamps of states are ") + text +
              " behind this node's clock: the clocks differ, or states come late (their age is "
              "counted from their arrival)");
  }
}

Diagnostics::Level level_of(Fault fault) noexcept {
  switch (fault) {
    case Fault::kStaleState:
    case Fault::kNonFinite:
    case Fault::kNotSent:
    case Fault::kWrongSize:
      return Diagnostics::Level::kError;
    case Fault::kStaleReference:
    case Fault::kSaturated:
    case Fault::kRateLimited:
    case Fault::kSingular:
    case Fault::kStaleCommand:
    case Fault::kStaleWrench:
    case Fault::kNoEffort:
    case Fault::kFollowingError:
      return Diagnostics::Level::kWarning;
  }
  return Diagnostics::Level::kWarning;
}

}  // namespace

void DynamicsReport::note_incompatible_qos(const QosMismatch& mismatch) {
  const std::string line = mismatch_lines_.pass(mismatch.sentence(), steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kWarning, line);
  constexpr std::size_t kMostKinds = 64;  // bounds the memory, whatever peers there are
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = mismatches_.find({mismatch.topic, mismatch.policy});
  if (found != mismatches_.end()) {
    ++found->second;
  } else if (mismatches_.size() < kMostKinds) {
    mismatches_.emplace(std::make_pair(mismatch.topic, mismatch.policy), 1);
  }
}

void DynamicsReport::note_activation_command(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_activation_command_ = text;
}

DynamicsReport::Values DynamicsReport::values(const Robot& robot, const Status& status,
                                              const std::string& faults_in_words) const {
  const Config& config = status.config;
  Values values = {{"phase", to_string(cycle_.phase())},
                   {"torque_mode", to_string(config.torque_mode)},
                   {"robot", robot.report.name},
                   {"joints", std::to_string(robot.names.size())},
                   {"trigger", to_string(cycle_.trigger())},
                   {"rate_hz", std::to_string(cycle_.direct() ? config.rate_hz : loop_.rate_hz())},
                   {"effort of forward dynamics",
                    config.effort_source == EffortSource::kAuto
                        ? (cycle_.effort_was_measured() ? "auto: measured" : "auto: own torque")
                        : to_string(config.effort_source)},
                   {"overruns", std::to_string(statistics().overruns.load())},
                   {"torques sent", std::to_string(status.torques_sent)},
                   {"faults", faults_in_words.empty() ? "none" : faults_in_words}};
  for (int i = 1; i < static_cast<int>(RejectionReason::kCount); ++i) {
    const auto rejection = static_cast<RejectionReason>(i);
    const std::uint64_t count = robot.inbox.count(rejection);
    if (count > 0) values.emplace_back(to_string(rejection), std::to_string(count));
  }
  if (const auto next = cycle_.robots().newest(); next.get() != &robot) {
    values.emplace_back("next robot", next->report.name);
  }
  for (auto& value : world_.values(robot, config)) values.push_back(std::move(value));
  const std::string ignored = robot.joints()->ignored_limits;
  if (!ignored.empty()) values.emplace_back("effort limits without effect", ignored);
  const std::uint64_t too_fast = cycle_.direct_statistics().skipped.load();
  if (too_fast > 0) {
    values.emplace_back("states that arrived faster than rate_hz", std::to_string(too_fast));
  }
  return values;
}

/// Others who publish our torque topics, and the gate that they keep closed.
void DynamicsReport::add_rivals(Diagnostics& diagnostics) const {
  std::map<std::string, std::string> topics;  // by node
  for (const ForeignPublisher& publisher : cycle_.gate().publishers()) {
    std::string& list = topics[publisher.node];
    list.append(list.empty() ? "" : " and ").append(publisher.topic);
  }
  for (const auto& [node, list] : topics) {
    std::string sentence = node.empty() ? "an unknown node" : "node " + node;
    sentence.append(" also publishes ").append(list);
    sentence.append(": end one of the two nodes, or remap the topics of one of them");
    raise(diagnostics, Diagnostics::Level::kError, sentence);
  }
  if (!cycle_.waits_at_gate()) return;
  const std::string obstacle = cycle_.gate().obstacle(steady_now_ns());
  raise(diagnostics, Diagnostics::Level::kWarning,
        "activation waits: " +
            (obstacle.empty() ? "looking for other nodes on the torque topics" : obstacle));
}

/// Problems outside of this process, whether there is a robot or not.
void DynamicsReport::add_surroundings(const Config& config, Diagnostics& diagnostics) const {
  if (config.use_sim_time && front_end_.ros_now() == 0) {
    raise(diagnostics, Diagnostics::Level::kWarning,
          "waiting for /clock (use_sim_time is set): states are used, trajectories with a stamp "
          "are rejected");
  }
  add_rivals(diagnostics);
  const Surroundings others = front_end_.surroundings();
  const auto robots = cycle_.robots().alive();
  const bool floating = std::any_of(robots->begin(), robots->end(), [](const auto& robot) {
    return robot->controller.coordinates().floating_base();
  });
  for (const Surroundings::Input& input : others.inputs) {
    const bool needed = input.topic == Topic::kJointStates ||
                        (input.topic == Topic::kOdometry && floating) ||
                        (input.topic == Topic::kRobotDescription && robots->empty());
    if (input.is_published || !needed) continue;
    raise(diagnostics, Diagnostics::Level::kWarning,
          "nobody publishes " + input.name + " in domain " + std::to_string(others.domain) +
              " (check remaps, namespaces, ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE)");
  }
  if (std::count(others.nodes.begin(), others.nodes.end(), others.node) > 1) {
    raise(diagnostics, Diagnostics::Level::kWarning,
          "another node has the same name: end one of the two, or give one a namespace");
  }
  diagnostics.values.emplace_back("active", cycle_.active() ? "true" : "false");
  diagnostics.values.emplace_back("log lines lost", std::to_string(front_end_.log_lines_lost()));
  const std::lock_guard<std::mutex> lock(mutex_);
  diagnostics.values.emplace_back(kActivationCommandKey, last_activation_command_);
  for (const auto& [what, peers] : mismatches_) {
    const auto& [topic, policy] = what;
    std::string sentence = "quality of service of a peer on '";
    sentence.append(topic).append("' does not fit ours: ").append(policy);
    raise(diagnostics, Diagnostics::Level::kWarning, sentence);
    std::string key = "peers whose ";
    key.append(policy).append(" did not fit on ").append(topic);
    diagnostics.values.emplace_back(std::move(key), std::to_string(peers));
  }
}

Diagnostics DynamicsReport::state(const Status& status, Faults faults) const {
  using Level = Diagnostics::Level;
  Diagnostics d;
  const std::shared_ptr<Robot> robot = cycle_.robots().served();  // whose torque is sent
  const Config& config = status.config;
  const Phase phase = cycle_.phase();
  if (!status.rejection.empty()) {
    raise(d, Level::kError, "robot description rejected: " + status.rejection);
  }
  if (robot == nullptr) {
    raise(d, Level::kWarning,
          "no robot yet: set urdf_file or robot_description, or publish robot_description");
    d.values = {{"phase", to_string(phase)}};
    add_surroundings(config, d);
    return d;
  }
  std::string faults_in_words;
  if (phase == Phase::kWaiting) {
    const auto k = static_cast<std::size_t>(cycle_.stalest());
    raise(d, Level::kWarning,
          "waiting for the state of " +
              (k < robot->names.size() ? "joint '" + robot->controller.coordinates()[k].name + "'"
                                       : std::string("the base (odom)")));
  }
  if (phase == Phase::kFallback) {
    raise(d, Level::kError,
          std::string("fallback '") + to_string(config.fallback) + "' is at work");
  }
  if (phase == Phase::kStopped) {
    raise(d, Level::kError,
          "stopped until the next activation (topic ~/set_active, spatial_dynamics activate, or a "
          "lifecycle transition)");
  }
  for (const Level level : {Level::kError, Level::kWarning}) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      const auto fault = static_cast<Fault>(1U << bit);
      if (!has(faults, fault) || level_of(fault) != level) continue;
      raise(d, level, to_string(fault));
      faults_in_words += std::string(faults_in_words.empty() ? "" : ", ") + to_string(fault);
    }
  }
  report_states(robot->inbox, config, d);
  const std::string drive_refusal = robot->joints()->drive_refusal;
  if (config.publish.torque_array && !drive_refusal.empty()) {
    raise(d, Level::kWarning, drive_refusal);
  }
  for (const std::string& warning : payload_check_.warnings(*robot)) {
    raise(d, Level::kWarning, warning);
  }
  d.values = values(*robot, status, faults_in_words);
  add_surroundings(config, d);
  if (d.message.empty()) d.message = to_string(phase);
  return d;
}

Diagnostics DynamicsReport::with_loop_warnings(Diagnostics diagnostics) const {
  for (std::string warning : loop_.warnings()) {
    if (!warning.empty() && warning.back() == '.') warning.pop_back();
    diagnostics.level = std::max(diagnostics.level, Diagnostics::Level::kWarning);
    diagnostics.message += "; " + warning;  // the state comes first
  }
  return diagnostics;
}

std::vector<Metric> DynamicsReport::metrics() {
  const auto interval = [](const Histogram& histogram, HistogramSnapshot& before) {
    const HistogramSnapshot now = histogram.snapshot();
    HistogramSnapshot since = now.since(before);
    before = now;
    return since;
  };
  const LoopStatistics& loop = statistics();
  std::vector<Metric> metrics{
      metric_of("state_age", interval(cycle_.state_age(), state_age_before_)),
      metric_of("wakeup_jitter", interval(loop.wakeup_jitter, jitter_before_)),
      metric_of("compute_time", interval(loop.compute_time, compute_before_)),
      metric_of("state_to_torque", interval(cycle_.latency(), latency_before_))};
  const std::uint64_t overruns_now = loop.overruns.load();
  Metric count;
  count.name = "overruns";
  count.unit = "1";
  count.count = overruns_now - overruns_before_;
  count.mean = count.min = count.max = count.p50 = count.p99 = static_cast<double>(count.count);
  overruns_before_ = overruns_now;
  metrics.push_back(count);
  return metrics;
}

/// Logs the state of the node when it has changed.
void DynamicsReport::log_changes(const Diagnostics& diagnostics) {
  if (!changes_.worth_logging(diagnostics.message, steady_now_ns())) return;
  constexpr LogLevel kLevels[] = {LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError};
  front_end_.log(kLevels[static_cast<std::size_t>(diagnostics.level)], diagnostics.message);
}

void DynamicsReport::send(const std::function<Status()>& status) {
  try {
    Diagnostics d = state(status(), cycle_.take_faults());
    std::vector<Metric> m = metrics();
    for (const Metric& metric : m) {
      if (metric.unit == "ms" && metric.count > 0) {
        d.values.emplace_back(metric.name + " p50, p99",
                              milliseconds(static_cast<std::int64_t>(metric.p50 * 1e6)) + ", " +
                                  milliseconds(static_cast<std::int64_t>(metric.p99 * 1e6)));
      }
    }
    log_changes(d);
    front_end_.publish_report(with_loop_warnings(std::move(d)), m);
  } catch (const std::exception& error) {
    front_end_.log(LogLevel::kError, std::string("reporting failed: ") + error.what());
  }
}

}  // namespace spatial_dynamics
