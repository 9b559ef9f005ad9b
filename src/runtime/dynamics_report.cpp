// What DynamicsCore says of itself once a second.
#include <cstdio>
#include <initializer_list>
#include <utility>

#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

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

/// What is odd about states that are taken all the same.
void tell_of_states(const Inbox& inbox, const Config& config, Diagnostics& diagnostics) {
  using Level = Diagnostics::Level;
  const std::string disputed = inbox.disputed_joint();
  if (!disputed.empty()) {
    raise(diagnostics, Level::kWarning,
          "states of joint '" + disputed + "' come from two publishers");
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

}  // namespace

std::vector<std::pair<std::string, std::string>> DynamicsCore::diagnostic_values(
    const Robot& robot, const Config& config, const std::string& faults_in_words) const {
  std::vector<std::pair<std::string, std::string>> values = {
      {"phase", to_string(phase_.load())},
      {"torque_mode", to_string(config.torque_mode)},
      {"robot", robot.report.name},
      {"joints", std::to_string(robot.names.size())},
      {"trigger", to_string(trigger_)},
      {"rate_hz", std::to_string(direct() ? config.rate_hz : loop_->rate_hz())},
      {"effort of forward dynamics",
       config.effort_source == EffortSource::kAuto
           ? (effort_was_measured_.load() ? "auto: measured" : "auto: own torque")
           : to_string(config.effort_source)},
      {"overruns", std::to_string(overruns())},
      {"torques sent", std::to_string(torques_sent_.load())},
      {"faults", faults_in_words.empty() ? "none" : faults_in_words}};
  for (int i = 1; i < static_cast<int>(Oddity::kCount); ++i) {
    const auto oddity = static_cast<Oddity>(i);
    const std::uint64_t count = robot.inbox.count(oddity);
    if (count > 0) values.emplace_back(to_string(oddity), std::to_string(count));
  }
  const std::uint64_t too_fast = direct_statistics_.skipped.load();
  if (too_fast > 0) {
    values.emplace_back("states that came faster than rate_hz", std::to_string(too_fast));
  }
  return values;
}

std::uint64_t DynamicsCore::overruns() const noexcept {
  return cycle_statistics().overruns.load() + left_out_.load();
}

/// What is amiss outside of this process, whether there is a robot or not.
void DynamicsCore::tell_of_surroundings(const Config& config, Diagnostics& diagnostics) const {
  if (config.use_sim_time && front_end_.ros_now() == 0) {
    raise(diagnostics, Diagnostics::Level::kWarning,
          "waiting for /clock (use_sim_time is set): states are used, trajectories with a stamp "
          "are refused");
  }
  const Surroundings others = front_end_.surroundings();
  for (const std::string& topic : others.unpublished) {
    raise(diagnostics, Diagnostics::Level::kWarning,
          "nobody publishes " + topic + " in domain " + std::to_string(others.domain) +
              " (check remaps, namespaces, ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE)");
  }
  if (others.namesakes > 0) {
    raise(diagnostics, Diagnostics::Level::kWarning,
          "another node has the same name: end one of the two, or give one a namespace");
  }
  const std::lock_guard<std::mutex> lock(mismatches_mutex_);
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

Diagnostics DynamicsCore::diagnostics() const { return diagnostics(faults_seen_.load()); }

Diagnostics DynamicsCore::diagnostics(Faults faults) const {
  using Level = Diagnostics::Level;
  Diagnostics d;
  const std::shared_ptr<Robot> robot = this->robot();
  const Config config = this->config();
  std::string refusal;
  {
    const std::lock_guard<std::mutex> lock(control_);
    refusal = last_refusal_;
  }
  const Phase phase = phase_.load();
  if (!refusal.empty()) raise(d, Level::kError, "robot description refused: " + refusal);
  if (robot == nullptr) {
    raise(d, Level::kWarning,
          "no robot yet: set urdf_file or robot_description, or publish robot_description");
    d.values = {{"phase", to_string(phase)}};
    tell_of_surroundings(config, d);
    return d;
  }
  std::string faults_in_words;
  if (phase == Phase::kWaiting) {
    const auto k = static_cast<std::size_t>(stalest_.load());
    raise(d, Level::kWarning,
          "waiting for the state of " + (k < robot->names.size() ? "joint '" + robot->names[k] + "'"
                                                                 : std::string("the base (odom)")));
  }
  if (phase == Phase::kFallback || phase == Phase::kStopped) {
    raise(d, Level::kError,
          std::string("fallback '") + to_string(config.fallback) + "' is at work");
  }
  const auto tell = [&](Level level, std::initializer_list<Fault> some) {
    for (const Fault fault : some) {
      if (!has(faults, fault)) continue;
      raise(d, level, to_string(fault));
      faults_in_words += std::string(faults_in_words.empty() ? "" : ", ") + to_string(fault);
    }
  };
  tell(Level::kError, {Fault::kStaleState, Fault::kNonFinite});
  tell(Level::kWarning, {Fault::kStaleReference, Fault::kSaturated, Fault::kRateLimited,
                         Fault::kSingular, Fault::kStaleCommand, Fault::kStaleWrench});
  tell_of_states(robot->inbox, config, d);
  const std::string drive_refusal = robot->joints()->drive_refusal;
  if (config.publish.torque_array && !drive_refusal.empty()) {
    raise(d, Level::kWarning, drive_refusal);
  }
  for (const std::string& warning : loop_->warnings()) raise(d, Level::kWarning, warning);
  d.values = diagnostic_values(*robot, config, faults_in_words);
  tell_of_surroundings(config, d);
  if (d.message.empty()) d.message = to_string(phase);
  return d;
}

std::vector<Metric> DynamicsCore::metrics() {
  const auto interval = [](const Histogram& histogram, HistogramSnapshot& before) {
    const HistogramSnapshot now = histogram.snapshot();
    HistogramSnapshot since = now.since(before);
    before = now;
    return since;
  };
  const LoopStatistics& loop = cycle_statistics();
  std::vector<Metric> metrics{
      metric_of("state_age", interval(state_age_, state_age_before_)),
      metric_of("wakeup_jitter", interval(loop.wakeup_jitter, jitter_before_)),
      metric_of("compute_time", interval(loop.compute_time, compute_before_)),
      metric_of("state_to_torque", interval(latency_, latency_before_))};
  const std::uint64_t overruns_now = overruns();
  Metric count;
  count.name = "overruns";
  count.unit = "1";
  count.count = overruns_now - overruns_before_;
  count.mean = count.min = count.max = count.p50 = count.p99 = static_cast<double>(count.count);
  overruns_before_ = overruns_now;
  metrics.push_back(count);
  return metrics;
}

/// For who reads the log and not the diagnostics: how the node is, when that has changed.
void DynamicsCore::tell_changes(const Diagnostics& diagnostics) {
  if (!changes_.worth_telling(diagnostics.message, steady_now_ns())) return;
  constexpr LogLevel kLevels[] = {LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError};
  front_end_.log(kLevels[static_cast<std::size_t>(diagnostics.level)], diagnostics.message);
}

void DynamicsCore::report() {
  try {
    // In one go, so that no fault falls between being read and being forgotten.
    Diagnostics d = diagnostics(faults_seen_.exchange(faults_.load()));
    std::vector<Metric> m = metrics();
    for (const Metric& metric : m) {
      if (metric.unit == "ms" && metric.count > 0) {
        d.values.emplace_back(metric.name + " p50, p99",
                              milliseconds(static_cast<std::int64_t>(metric.p50 * 1e6)) + ", " +
                                  milliseconds(static_cast<std::int64_t>(metric.p99 * 1e6)));
      }
    }
    tell_changes(d);
    const std::lock_guard<std::mutex> publishing(publishing_);
    front_end_.publish_report(d, m);
  } catch (const std::exception& error) {
    front_end_.log(LogLevel::kError, std::string("reporting failed: ") + error.what());
  }
}

}  // namespace spatial_dynamics
