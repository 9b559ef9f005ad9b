#include "cli/nodes/demo/demo_node.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"
#include "support/stopwatch.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kSecond = 1e9;  // ns
constexpr double kSettlingSeconds = 1.0;

double seconds_between(std::int64_t from, std::int64_t to) {
  return static_cast<double>(to - from) / kSecond;
}
std::int64_t nanoseconds_of(double seconds) { return std::llround(seconds * kSecond); }

/// The difference of the two clocks, from the fastest of ten readings.
std::int64_t steady_minus_system() {
  std::int64_t difference = 0, shortest = INT64_MAX;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t before = steady_now_ns(), system = system_now_ns(), after = steady_now_ns();
    if (after - before >= shortest) continue;
    shortest = after - before;
    difference = before + shortest / 2 - system;
  }
  return difference;
}

/// Calls store(joint, i) for each name of the message that is a joint of the robot. Most messages
/// have the same order as the robot.
template <typename Names, typename Store>
void for_each_joint(const DemoSubject& subject, const Names& names, const Store& store) {
  const auto& joints = subject.joints;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t k = i;
    if (k >= joints.size() || joints[k].name != names[i]) {
      const auto same = [&](const auto& joint) { return joint.name == names[i]; };
      k = static_cast<std::size_t>(std::find_if(joints.begin(), joints.end(), same) -
                                   joints.begin());
    }
    if (k < joints.size()) store(k, i);
  }
}

}  // namespace

DemoNode::DemoNode(const dds::NodeOptions& options, const std::string& dynamics,
                   DemoSubject subject, std::optional<SmoothReference> reference)
    : subject_(std::move(subject)),
      reference_(std::move(reference)),
      steady_minus_system_(steady_minus_system()),
      node_(options) {
  subject_.domain = node_.domain_id();
  subject_.follows = reference_.has_value();
  now_.joints.resize(subject_.joints.size());
  errors_.resize(subject_.joints.size());
  if (reference_) {
    reference_writer_.emplace(
        node_.advertise<dds::JointTrajectory>(dynamics + "/reference", dds::kDefaultQos));
  }
  subscribe(dynamics);
}

void DemoNode::subscribe(const std::string& dynamics) {
  states_reader_.emplace(node_.subscribe<dds::JointState>(
      "joint_states", dds::kStreamQos, [this](const dds::JointState& m) { on_states(m); }));
  torque_reader_.emplace(node_.subscribe<dds::JointState>(
      dynamics + "/torque", dds::kStreamQos, [this](const dds::JointState& m) { on_torque(m); }));
  acceleration_reader_.emplace(node_.subscribe<dds::JointTrajectory>(
      dynamics + "/acceleration", dds::kStreamQos,
      [this](const dds::JointTrajectory& m) { on_acceleration(m); }));
  diagnostics_reader_.emplace(node_.subscribe<dds::DiagnosticArray>(
      "/diagnostics", dds::kDefaultQos,
      [this, dynamics](const dds::DiagnosticArray& m) { on_diagnostics(m, dynamics); }));
  statistics_reader_.emplace(node_.subscribe<dds::MetricsMessage>(
      dynamics + "/statistics", dds::kDefaultQos,
      [this](const dds::MetricsMessage& m) { on_statistics(m); }));
}

bool DemoNode::ready() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return has_state_ && has_torque_;
}

void DemoNode::begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  begun_ = steady_now_ns();
  torques_ = 0;
  torque_counts_.clear();
  sent_.clear();
  begin_motion(begun_);
}

void DemoNode::begin_motion(std::int64_t now) {
  motion_begun_ = now;
  start_.clear();
  for (const JointReading& joint : now_.joints) start_.push_back(joint.position);
  if (reference_) reference_->begin(start_);
}

void DemoNode::send_reference() {
  if (!reference_) return;
  const std::int64_t now = steady_now_ns();
  double t = 0.0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (begun_ == 0) return;
    if (last_sent_ != 0 && seconds_between(last_sent_, now) > SmoothReference::kHorizonSeconds)
      begin_motion(now);
    t = seconds_between(motion_begun_, now) - SmoothReference::kPastSeconds;
  }
  last_sent_ = now;
  dds::JointTrajectory& m = *trajectory_;
  m.header.stamp =
      dds::from_nanoseconds(system_now_ns() - nanoseconds_of(SmoothReference::kPastSeconds));
  dds::assign(m.header.frame_id, "");
  dds::resize(m.joint_names, subject_.joints.size());
  for (std::size_t k = 0; k < subject_.joints.size(); ++k) {
    dds::assign(dds::elements(m.joint_names)[k], subject_.joints[k].name);
  }
  dds::resize(m.points, SmoothReference::kKnots);
  MotionPoint motion;
  for (std::size_t i = 0; i < SmoothReference::kKnots; ++i) {
    const double ahead = static_cast<double>(i) * SmoothReference::kKnotSeconds;
    reference_->sample(t + ahead, motion);
    dds::JointTrajectoryPoint& point = dds::elements(m.points)[i];
    dds::assign(point.positions, motion.position);
    dds::assign(point.velocities, motion.velocity);
    dds::assign(point.accelerations, motion.acceleration);
    point.time_from_start = dds::from_nanoseconds<dds::Duration>(nanoseconds_of(ahead));
  }
  (void)reference_writer_->write(m);  // the next message replaces a lost one
}

void DemoNode::on_states(const dds::JointState& m) {
  // The state's time on the steady clock.
  const std::int64_t time = dds::nanoseconds(m.header.stamp) + steady_minus_system_;
  const std::lock_guard<std::mutex> lock(mutex_);
  for_each_joint(subject_, dds::view(m.name), [&](std::size_t k, std::size_t i) {
    if (i < m.position._length) now_.joints[k].position = dds::view(m.position)[i];
    if (i < m.velocity._length) now_.joints[k].velocity = dds::view(m.velocity)[i];
    if (i < m.effort._length) now_.joints[k].effort = dds::view(m.effort)[i];
  });
  has_state_ = true;
  if (begun_ == 0) return;
  update_errors(time);
  if (!recorder_ || time < begun_) return;
  recorder_->write(seconds_between(begun_, time), now_.joints,
                   reference_ ? point_.position : std::vector<double>(), torque_age_);
  torque_age_.reset();
}

void DemoNode::record_to(DemoRecorder recorder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  recorder_.emplace(std::move(recorder));
}

bool DemoNode::end_record() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!recorder_) return true;
  const bool written = recorder_->close();
  recorder_.reset();
  return written;
}

void DemoNode::update_errors(std::int64_t time) {
  const double t = seconds_between(motion_begun_, time);
  const bool counts = t > kSettlingSeconds;
  if (reference_) reference_->sample(t, point_);
  const std::vector<double>& target = reference_ ? point_.position : start_;
  for (std::size_t k = 0; k < target.size(); ++k) {
    const double error = now_.joints[k].position - target[k];
    now_.joints[k].error = error;
    if (!counts) continue;
    errors_[k].squares += error * error;
    errors_[k].largest = std::max(errors_[k].largest, std::abs(error));
  }
  if (counts) ++now_.errors_measured;
}

void DemoNode::on_torque(const dds::JointState& m) {
  const std::int64_t age = system_now_ns() - dds::nanoseconds(m.header.stamp);
  const std::lock_guard<std::mutex> lock(mutex_);
  for_each_joint(subject_, dds::view(m.name), [&](std::size_t k, std::size_t i) {
    if (i >= m.effort._length) return;
    JointReading& joint = now_.joints[k];
    joint.torque = dds::view(m.effort)[i];
    joint.torque_max = std::max(joint.torque_max, std::abs(joint.torque));
  });
  has_torque_ = true;
  torque_age_ = static_cast<double>(age) / kSecond;
  ++torques_;
}

void DemoNode::on_acceleration(const dds::JointTrajectory& m) {
  if (m.points._length == 0) return;
  const dds::JointTrajectoryPoint& point = dds::view(m.points)[0];
  const std::lock_guard<std::mutex> lock(mutex_);
  for_each_joint(subject_, dds::view(m.joint_names), [&](std::size_t k, std::size_t i) {
    if (i < point.accelerations._length) {
      now_.joints[k].acceleration = dds::view(point.accelerations)[i];
    }
  });
}

DemoNode::Series* DemoNode::series_of(std::string_view metric) {
  if (metric == "state age") return &state_age_;
  if (metric == "wake-up jitter") return &jitter_;
  if (metric == "compute time") return &compute_;
  if (metric == "state to torque") return &latency_;
  return nullptr;
}

void DemoNode::on_diagnostics(const dds::DiagnosticArray& m, const std::string& dynamics) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const dds::DiagnosticStatus& status : dds::view(m.status)) {
    if (dds::text(status.name) != dynamics + ": rigid-body dynamics") continue;
    now_.message = dds::text(status.message);
    for (const dds::KeyValue& entry : dds::view(status.values)) {
      const std::string key(dds::text(entry.key));
      const std::string value(dds::text(entry.value));
      if (key == "overruns") {
        (void)std::from_chars(value.data(), value.data() + value.size(), now_.overruns);
      } else if (key == "torques replaced") {
        (void)std::from_chars(value.data(), value.data() + value.size(), now_.torques_replaced);
      } else if (key == "torques sent") {
        SentTorques::Report report{dds::nanoseconds(m.header.stamp), 0, torques_};
        (void)std::from_chars(value.data(), value.data() + value.size(), report.torques);
        if (begun_ != 0) sent_.add(report, steady_now_ns());
      } else if (key == "faults") {
        now_.faults = value;
        if (begun_ != 0 && value != "none") ++now_.faults_seen[value];
      } else if (Series* const series = series_of(key.substr(0, key.find(" p50")))) {
        double p50 = 0.0, p99 = 0.0;
        const char* const end = value.data() + value.size();
        const auto [rest, first] = std::from_chars(value.data(), end, p50);  // "0.012 ms, 0.034 ms"
        const std::string_view between = " ms, ";
        if (first != std::errc() || value.compare(static_cast<std::size_t>(rest - value.data()),
                                                  between.size(), between) != 0) {
          continue;
        }
        if (std::from_chars(rest + between.size(), end, p99).ec != std::errc()) continue;
        series->p50.push_back(p50);
        series->p99.push_back(p99);
      }
    }
  }
}

void DemoNode::on_statistics(const dds::MetricsMessage& m) {
  constexpr std::uint8_t kMaximum = 3;  // of statistics_msgs/StatisticDataType
  const std::lock_guard<std::mutex> lock(mutex_);
  Series* const series = series_of(dds::text(m.metrics_source));
  if (series == nullptr) return;
  // A report covers the second before it, so the first one is not part of the run.
  const bool counts = begun_ != 0 && seconds_between(begun_, steady_now_ns()) > kSettlingSeconds;
  for (const dds::StatisticDataPoint& point : dds::view(m.statistics)) {
    if (point.data_type != kMaximum) continue;
    series->last_max = point.data;
    if (counts) series->max = std::max(series->max, point.data);
  }
}

Timing DemoNode::Series::last() const {
  if (p50.empty()) return {};
  return {p50.back(), p99.back(), std::max(last_max, p99.back()), true};
}

Timing DemoNode::Series::whole() const {
  if (p50.empty()) return {};
  const Timing medians{quantile(p50, 0.5), quantile(p99, 0.5), 0.0, true};
  return {medians.p50, medians.p99, std::max(max, medians.p99), true};
}

DemoReading DemoNode::reading() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::int64_t now = steady_now_ns();
  torque_counts_.emplace_back(now, torques_);
  while (torque_counts_.size() > 2 && seconds_between(torque_counts_[1].first, now) >= 1.0) {
    torque_counts_.pop_front();
  }
  const auto& [since, count] = torque_counts_.front();
  if (now > since)
    now_.seen.last_hz = static_cast<double>(torques_ - count) / seconds_between(since, now);
  now_.sent = sent_.rate(now);
  now_.begun = begun_ != 0;
  if (now_.begun) {
    now_.seconds = seconds_between(begun_, now);
    now_.seen.mean_hz =
        now_.sent.known ? sent_.seen_hz() : static_cast<double>(torques_) / now_.seconds;
    now_.seen.known = true;
  }
  now_.state_publishers = states_reader_->matched();
  for (std::size_t k = 0; k < errors_.size(); ++k) {
    const auto n = static_cast<double>(std::max<std::uint64_t>(now_.errors_measured, 1));
    now_.joints[k].error_rms = std::sqrt(errors_[k].squares / n);
    now_.joints[k].error_max = errors_[k].largest;
  }
  now_.state_age = state_age_.last();
  now_.jitter = jitter_.last();
  now_.compute = compute_.last();
  now_.latency = latency_.last();
  return now_;
}

DemoReading DemoNode::whole_run() {
  DemoReading result = reading();
  const std::lock_guard<std::mutex> lock(mutex_);
  result.state_age = state_age_.whole();
  result.jitter = jitter_.whole();
  result.compute = compute_.whole();
  result.latency = latency_.whole();
  return result;
}

}  // namespace spatial_dynamics::cli
