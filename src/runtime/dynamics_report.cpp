#include "runtime/dynamics_report.hpp"

#include <algorithm>
#include <utility>

#include "runtime/report_values.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Without the digits below 1 ns.
double whole_nanoseconds(double ms) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(ms * 1e6)) * 1e-6;
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

}  // namespace

void DynamicsReport::note_activation_command(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_activation_command_ = text;
  unnamed_command_.reset();
}

void DynamicsReport::note_activation_command(const ActivationCommand& command,
                                             std::uint64_t publisher) {
  note_activation_command(command.text());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (command.source.empty() && publisher != 0) unnamed_command_ = {command, publisher};
}

/// The list of a node's publishers may arrive after its command.
std::string DynamicsReport::last_activation_command() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (unnamed_command_) {
    ActivationCommand& command = unnamed_command_->command;
    command.source = node_source(front_end_.publisher_name(unnamed_command_->publisher));
    if (!command.source.empty()) {
      last_activation_command_ = command.text();
      unnamed_command_.reset();
    }
  }
  return last_activation_command_;
}

Diagnostics::Values DynamicsReport::values(const Robot& robot, const Status& status,
                                           Faults faults) const {
  const Config& config = status.config;
  Diagnostics::Values values = {
      {"phase", to_string(cycle_.phase())},
      {kTorqueModeKey, to_string(config.torque_mode)},
      {"robot", robot.report.name},
      {"joints", std::to_string(robot.names.size())},
      {"trigger", to_string(cycle_.trigger())},
      {"rate", rounded_text(cycle_.direct() ? config.rate_hz : loop_.rate_hz()) + " Hz"},
      {"effort of forward dynamics",
       config.effort_source == EffortSource::kAuto
           ? (cycle_.effort_was_measured() ? "auto: measured" : "auto: own torque")
           : to_string(config.effort_source)},
      {kOverrunsKey, std::to_string(statistics().overruns.load())},
      {kTorquesSentKey, std::to_string(status.torques_sent)},
      {kTorquesReplacedKey, std::to_string(cycle_.torques_replaced())},
      {kFaultsKey, faults_text(faults)}};
  for (int i = 1; i < static_cast<int>(RejectionReason::kCount); ++i) {
    const auto rejection = static_cast<RejectionReason>(i);
    const std::uint64_t count = robot.inbox.count(rejection);
    if (count > 0) values.emplace_back(to_string(rejection), std::to_string(count));
  }
  const std::string rejection = robot.inbox.last_rejection();
  if (!rejection.empty()) add_value(values, kLastRejectionKey, rejection);
  if (const auto next = cycle_.robots().newest(); next.get() != &robot) {
    values.emplace_back("next robot", next->report.name);
  }
  for (auto& value : world_.values(robot, config)) values.push_back(std::move(value));
  // Asked first: a check that ends in between has its warnings below.
  if (payload_check_.pending()) values.emplace_back(kPayloadCheckKey, "running");
  for (const PayloadCheck::Warning& warning : payload_check_.warnings(robot)) {
    add_value(values, payload_warning_key(warning.link), warning.text);
  }
  const std::string ignored = robot.joints()->ignored_limits;
  if (!ignored.empty()) add_value(values, "effort limits without effect", ignored);
  const std::uint64_t acknowledged = cycle_.acknowledged();
  if (acknowledged > 0 || config.contact.reaction != ContactReaction::kNone) {
    values.emplace_back(kAcknowledgedKey, std::to_string(acknowledged));
  }
  const std::string stiffness = stiffness_text(robot, config);
  if (!stiffness.empty()) add_value(values, kStiffnessKey, stiffness);
  const std::string gains = stiffness_.gain_warning(robot, config);
  if (!gains.empty()) add_value(values, kGainsKey, gains);
  const std::string missing = robot.joints()->envelope.missing;
  if (!missing.empty()) add_value(values, "limits that the envelope lacks", missing);
  const std::uint64_t too_fast = cycle_.direct_statistics().skipped.load();
  if (too_fast > 0) {
    values.emplace_back("states that arrived faster than rate_hz", std::to_string(too_fast));
  }
  return values;
}

/// Values that there are with and without a robot.
void DynamicsReport::add_common_values(Diagnostics::Values& values) const {
  for (const auto& [what, peers] : problems_.mismatches()) {
    const auto& [topic, policy] = what;
    std::string key = "peers whose ";
    key.append(policy).append(" did not fit on ").append(topic);
    values.emplace_back(std::move(key), std::to_string(peers));
  }
  values.emplace_back("active", cycle_.active() ? "true" : "false");
  values.emplace_back("log lines lost", std::to_string(front_end_.log_lines_lost()));
  values.emplace_back(kActivationCommandKey, last_activation_command());
}

Problems DynamicsReport::problems(const Status& status, Faults faults) const {
  return problems_.find(cycle_.robots().served().get(), status.config, status.rejection, faults);
}

Diagnostics DynamicsReport::diagnostics(const Status& status, Faults faults,
                                        const Problems& problems) const {
  Diagnostics d;
  const std::shared_ptr<Robot> robot = cycle_.robots().served();  // whose torque is sent
  const std::string phase = to_string(cycle_.phase());
  if (robot != nullptr) {
    d.values = values(*robot, status, faults);
  } else {
    d.values = {{"phase", phase}};
  }
  add_common_values(d.values);
  Problems all = problems;
  for (const std::string& warning : loop_.warnings())
    all.add(Diagnostics::Level::kWarning, warning);
  all.write_to(d, phase);
  if (problems.empty() && !all.empty()) d.message = phase + "; " + d.message;
  return d;
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
      metric_of(kStateAgeMetric, interval(cycle_.state_age(), state_age_before_)),
      metric_of(kWakeupJitterMetric, interval(loop.wakeup_jitter, jitter_before_)),
      metric_of(kComputeTimeMetric, interval(loop.compute_time, compute_before_)),
      metric_of(kStateToTorqueMetric, interval(cycle_.latency(), latency_before_))};
  const auto count = [&metrics](const char* name, std::uint64_t now, std::uint64_t& before) {
    Metric metric;
    metric.name = name;
    metric.unit = "1/s";  // diagnostics count since the start
    metric.count = now - std::exchange(before, now);
    metric.mean = metric.min = metric.max = metric.p50 = metric.p99 =
        static_cast<double>(metric.count);
    metrics.push_back(metric);
  };
  count("overruns", loop.overruns.load(), overruns_before_);
  count("torques_replaced", cycle_.torques_replaced(), torques_replaced_before_);
  return metrics;
}

/// Logs the state of the node when it has changed. Not while the node ends: the other nodes of a
/// launch file end too, so that their states stop.
void DynamicsReport::log_changes(const Problems& problems) {
  if (cycle_.ended()) return;
  Diagnostics diagnostics;
  problems.write_to(diagnostics, to_string(cycle_.phase()));
  if (!changes_.worth_logging(diagnostics.message, cycle_.phase(), steady_now_ns())) return;
  constexpr LogLevel kLevels[] = {LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError};
  front_end_.log(kLevels[static_cast<std::size_t>(diagnostics.level)], diagnostics.message);
}

void DynamicsReport::send(const std::function<Status()>& get_status) {
  try {
    const Status status = get_status();
    const Faults faults = cycle_.take_faults();
    const Problems found = problems(status, faults);
    log_changes(found);
    Diagnostics d = diagnostics(status, faults, found);
    const std::vector<Metric> m = metrics();
    for (const Metric& metric : m) {
      if (metric.unit == "ms" && metric.count > 0) {
        d.values.emplace_back(
            quantiles_key(metric.name),
            quantiles_text({whole_nanoseconds(metric.p50), whole_nanoseconds(metric.p99)}));
      }
    }
    front_end_.publish_report(d, m);
  } catch (const std::exception& error) {
    front_end_.log(LogLevel::kError, std::string("reporting failed: ") + error.what());
  }
}

}  // namespace spatial_dynamics
