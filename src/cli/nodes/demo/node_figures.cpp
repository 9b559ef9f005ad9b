#include "cli/nodes/demo/node_figures.hpp"

#include <algorithm>
#include <optional>

#include "dds/message.hpp"
#include "runtime/report_values.hpp"
#include "simulation/tracked_motion.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/stopwatch.hpp"

namespace spatial_dynamics::cli {

NodeFigures::NodeFigures(const std::string& node) : status_name_(status_name(node)) {}

void NodeFigures::begin(std::int64_t now) {
  begun_ = now;
  sent_.clear();
}

NodeFigures::Series* NodeFigures::series_of(std::string_view metric) {
  if (metric == kStateAgeMetric) return &state_age_;
  if (metric == kWakeupJitterMetric) return &jitter_;
  if (metric == kComputeTimeMetric) return &compute_;
  if (metric == kStateToTorqueMetric) return &latency_;
  return nullptr;
}

void NodeFigures::add(const dds::DiagnosticArray& m, std::uint64_t torques_seen) {
  for (const dds::DiagnosticStatus& status : dds::view(m.status)) {
    if (dds::text(status.name) != status_name_) continue;
    message_ = dds::text(status.message);
    for (const dds::KeyValue& entry : dds::view(status.values)) {
      add_value(dds::text(entry.key), dds::text(entry.value), dds::nanoseconds(m.header.stamp),
                torques_seen);
    }
  }
}

void NodeFigures::add_value(std::string_view key, std::string_view value, std::int64_t stamp,
                            std::uint64_t torques_seen) {
  if (key == kOverrunsKey) {
    overruns_ = parse_count(value).value_or(overruns_);
  } else if (key == kTorquesReplacedKey) {
    torques_replaced_ = parse_count(value).value_or(torques_replaced_);
  } else if (key == kTorquesSentKey) {
    const SentTorques::Report report{stamp, parse_count(value).value_or(0), torques_seen};
    if (begun_ != 0) sent_.add(report, steady_now_ns());
  } else if (key == kFaultsKey) {
    faults_ = value;
    if (begun_ != 0 && reports_fault(value)) ++faults_seen_[faults_];
  } else if (Series* const series = series_of(metric_of_key(key))) {
    const std::optional<Quantiles> quantiles = parse_quantiles(value);
    if (!quantiles) return;
    series->p50.push_back(quantiles->p50_ms);
    series->p99.push_back(quantiles->p99_ms);
  }
}

void NodeFigures::add(const dds::MetricsMessage& m) {
  constexpr std::uint8_t kMaximum = 3;  // of statistics_msgs/StatisticDataType
  Series* const series = series_of(dds::text(m.metrics_source));
  if (series == nullptr) return;
  // A report covers the second before it, so the first one is not part of the run.
  const bool counts =
      begun_ != 0 && to_seconds(steady_now_ns() - begun_) > TrackedMotion::kSettlingSeconds;
  for (const dds::StatisticDataPoint& point : dds::view(m.statistics)) {
    if (point.data_type != kMaximum) continue;
    series->last_max = point.data;
    if (counts) series->max = std::max(series->max, point.data);
  }
}

Timing NodeFigures::Series::last() const {
  if (p50.empty()) return {};
  return {p50.back(), p99.back(), std::max(last_max, p99.back()), true};
}

Timing NodeFigures::Series::whole() const {
  if (p50.empty()) return {};
  const Timing medians{quantile(p50, 0.5), quantile(p99, 0.5), 0.0, true};
  return {medians.p50, medians.p99, std::max(max, medians.p99), true};
}

void NodeFigures::write_to(DemoReading& reading, std::int64_t now, bool whole_run) const {
  reading.message = message_;
  reading.faults = faults_;
  reading.faults_seen = faults_seen_;
  reading.overruns = overruns_;
  reading.torques_replaced = torques_replaced_;
  reading.sent = sent_.rate(now);
  const auto timing = whole_run ? &Series::whole : &Series::last;
  reading.state_age = (state_age_.*timing)();
  reading.jitter = (jitter_.*timing)();
  reading.compute = (compute_.*timing)();
  reading.latency = (latency_.*timing)();
}

}  // namespace spatial_dynamics::cli
