#include "cli/nodes/demo/demo_node.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cli/nodes/demo/demo_limits.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kSecond = 1e9;  // ns

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
      motion_(subject_.joints.size(), std::move(reference)),
      steady_minus_system_(steady_minus_system()),
      node_(options),
      figures_(dynamics) {
  subject_.domain = node_.domain_id();
  subject_.follows = motion_.has_reference();
  now_.joints.resize(subject_.joints.size());
  positions_.resize(subject_.joints.size());
  if (motion_.has_reference()) {
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
  external_reader_.emplace(node_.subscribe<dds::JointState>(
      dynamics + "/external_torque", dds::kStreamQos,
      [this](const dds::JointState& m) { on_external_torque(m); }));
  diagnostics_reader_.emplace(node_.subscribe<dds::DiagnosticArray>(
      "/diagnostics", dds::kDefaultQos, [this](const dds::DiagnosticArray& m) {
        const std::lock_guard<std::mutex> lock(mutex_);
        figures_.add(m, torques_);
      }));
  statistics_reader_.emplace(node_.subscribe<dds::MetricsMessage>(
      dynamics + "/statistics", dds::kDefaultQos, [this](const dds::MetricsMessage& m) {
        const std::lock_guard<std::mutex> lock(mutex_);
        figures_.add(m);
      }));
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
  figures_.begin(begun_);
  begin_motion(begun_);
}

void DemoNode::begin_motion(std::int64_t now) {
  motion_begun_ = now;
  motion_.begin(positions_);
}

void DemoNode::add_hand(const std::string& simulator, DemoHand hand) {
  dds::assign(wrench_->header.frame_id, hand.link());
  hand_.emplace(std::move(hand));
  wrench_writer_.emplace(
      node_.advertise<dds::WrenchStamped>(simulator + "/external_wrench", dds::kCommandQos));
}

void DemoNode::push() {
  if (!hand_) return;
  double t = 0.0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (begun_ == 0) return;
    t = seconds_between(begun_, steady_now_ns());
  }
  const Vector3 force = hand_->force(t);
  wrench_->wrench.force = {force.x(), force.y(), force.z()};
  (void)wrench_writer_->write(*wrench_);  // the next message replaces a lost one
}

void DemoNode::send_reference() {
  push();
  if (!motion_.has_reference()) return;
  const std::int64_t now = steady_now_ns();
  double t = 0.0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (begun_ == 0) return;
    if (last_sent_ != 0 && seconds_between(last_sent_, now) > SmoothReference::kHorizonSeconds)
      begin_motion(now);
    t = seconds_between(motion_begun_, now);
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
  motion_.for_each_knot(t, [&m](std::size_t i, double ahead, const MotionPoint& motion) {
    dds::JointTrajectoryPoint& point = dds::elements(m.points)[i];
    dds::assign(point.positions, motion.position);
    dds::assign(point.velocities, motion.velocity);
    dds::assign(point.accelerations, motion.acceleration);
    point.time_from_start = dds::from_nanoseconds<dds::Duration>(nanoseconds_of(ahead));
  });
  (void)reference_writer_->write(m);  // the next message replaces a lost one
}

void DemoNode::on_states(const dds::JointState& m) {
  // The state's time on the steady clock.
  const std::int64_t time = dds::nanoseconds(m.header.stamp) + steady_minus_system_;
  const std::lock_guard<std::mutex> lock(mutex_);
  for_each_joint(subject_, dds::view(m.name), [&](std::size_t k, std::size_t i) {
    if (i < m.position._length) {
      now_.joints[k].position = positions_[k] = dds::view(m.position)[i];
    }
    if (i < m.velocity._length) now_.joints[k].velocity = dds::view(m.velocity)[i];
    if (i < m.effort._length) now_.joints[k].effort = dds::view(m.effort)[i];
  });
  has_state_ = true;
  if (begun_ == 0) return;
  const std::vector<double>& target =
      motion_.measure(seconds_between(motion_begun_, time), positions_);
  for (std::size_t k = 0; k < target.size(); ++k) now_.joints[k].error = positions_[k] - target[k];
  note_stops(time);
  if (!recorder_ || time < begun_) return;
  recorder_->write(seconds_between(begun_, time), now_.joints,
                   motion_.has_reference() ? target : std::vector<double>(), now_.external_known,
                   torque_age_);
  torque_age_.reset();
}

void DemoNode::note_stops(std::int64_t time) {
  const double since_s = state_time_ == 0 ? 0.0 : seconds_between(state_time_, time);
  state_time_ = time;
  if (!(since_s > 0.0)) return;
  for (std::size_t k = 0; k < now_.joints.size(); ++k) {
    JointReading& joint = now_.joints[k];
    if (is_stop(limit_of(subject_.joints[k], joint))) joint.seconds_at_stop += since_s;
  }
}

void DemoNode::on_external_torque(const dds::JointState& m) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for_each_joint(subject_, dds::view(m.name), [&](std::size_t k, std::size_t i) {
    if (i >= m.effort._length) return;
    JointReading& joint = now_.joints[k];
    joint.external = dds::view(m.effort)[i];
    if (std::abs(joint.external) > std::abs(joint.external_max))
      joint.external_max = joint.external;
  });
  now_.external_known = true;
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

DemoReading DemoNode::reading() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reading(false);
}

DemoReading DemoNode::whole_run() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reading(true);
}

DemoReading DemoNode::reading(bool whole_run) {
  const std::int64_t now = steady_now_ns();
  torque_counts_.emplace_back(now, torques_);
  while (torque_counts_.size() > 2 && seconds_between(torque_counts_[1].first, now) >= 1.0) {
    torque_counts_.pop_front();
  }
  const auto& [since, count] = torque_counts_.front();
  if (now > since)
    now_.seen.last_hz = static_cast<double>(torques_ - count) / seconds_between(since, now);
  figures_.write_to(now_, now, whole_run);
  now_.begun = begun_ != 0;
  if (now_.begun) {
    now_.seconds = seconds_between(begun_, now);
    now_.seen.mean_hz =
        now_.sent.known ? figures_.seen_hz() : static_cast<double>(torques_) / now_.seconds;
    now_.seen.known = true;
  }
  now_.state_publishers = states_reader_->matched();
  now_.errors_measured = motion_.count();
  for (std::size_t k = 0; k < now_.joints.size(); ++k) {
    now_.joints[k].error_rms = motion_.rms(k);
    now_.joints[k].error_max = motion_.largest(k);
  }
  return now_;
}

}  // namespace spatial_dynamics::cli
