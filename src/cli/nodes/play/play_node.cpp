#include "cli/nodes/play/play_node.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "spatial_dynamics/simulation/smooth_reference.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

using Reason = RejectionReason;

constexpr std::int64_t kStateLimit = 5'000'000'000;  // ns until the positions are known

DeliveryOptions delivery_to(const std::string& target) {
  return {target,
          Topic::kReference,
          "motion",
          {Reason::kNoNames, Reason::kTooLarge, Reason::kLengthMismatch, Reason::kDuplicateNames,
           Reason::kBadNumber, Reason::kUnknownJoint, Reason::kBadTimes}};
}

std::int64_t in_nanoseconds(double seconds) {
  return static_cast<std::int64_t>(std::llround(seconds * 1e9));
}

}  // namespace

PlayNode::PlayNode(const std::string& target, const JointMotion& motion,
                   const dds::RosArguments& ros)
    : joints_(motion.joints),
      connection_(delivery_to(target), ros),
      writer_(connection_.node().advertise<dds::JointTrajectory>(connection_.topic(),
                                                                 dds::kCommandQos)),
      positions_(VectorXd::Zero(motion.position.rows())),
      known_(motion.joints.size(), false),
      reader_(connection_.node().subscribe<dds::JointState>(
          "joint_states", dds::kStreamQos, [this](const dds::JointState& m) { on_states(m); })) {}

VectorXd PlayNode::connect() {
  connection_.connect([this] { return writer_.matched() > 0; });
  const auto unknown = [this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find(known_.begin(), known_.end(), false);
    return found == known_.end() ? std::string()
                                 : joints_[static_cast<std::size_t>(found - known_.begin())];
  };
  (void)wait_until([&] { return connection_.signals().pending() || unknown().empty(); },
                   kStateLimit);
  const std::string joint = unknown();
  if (!joint.empty()) {
    throw std::runtime_error("no position of " + joint_element(joint) + " arrived on " +
                             reader_.topic() + "; is the robot on, and the motion for it?");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  return positions_;
}

void PlayNode::begin(const PlayedMotion& motion, StateRecorder* recorder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  motion_ = &motion;
  recorder_ = recorder;
  tracking_ = true;
  begun_ = steady_now_ns();
  begun_system_ = system_now_ns();
}

double PlayNode::time() const noexcept { return to_seconds(steady_now_ns() - begun_); }

void PlayNode::stop(PlayedMotion& motion) {
  const std::lock_guard<std::mutex> lock(mutex_);
  motion.stop(time());
}

void PlayNode::send() {
  const double t = time();
  dds::JointTrajectory& m = *trajectory_;
  m.header.stamp =
      dds::from_nanoseconds(system_now_ns() - in_nanoseconds(SmoothReference::kPastSeconds));
  dds::assign(m.header.frame_id, "");
  dds::assign(m.joint_names, joints_);
  dds::resize(m.points, SmoothReference::kKnots);
  VectorXd q, v, a;
  const auto numbers = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  for (std::size_t i = 0; i < SmoothReference::kKnots; ++i) {
    const double ahead = SmoothReference::kKnotSeconds * static_cast<double>(i);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      motion_->sample(std::max(0.0, t - SmoothReference::kPastSeconds + ahead), q, v, a);
    }
    dds::JointTrajectoryPoint& point = dds::elements(m.points)[i];
    dds::assign(point.positions, numbers(q));
    dds::assign(point.velocities, numbers(v));
    dds::assign(point.accelerations, numbers(a));
    point.time_from_start = dds::from_nanoseconds<dds::Duration>(in_nanoseconds(ahead));
  }
  if (!writer_.write(m)) connection_.throw_unacknowledged();
  connection_.check(connection_.reports().newest());
}

Tracking PlayNode::finish() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    recorder_ = nullptr;
    tracking_ = false;
  }
  (void)connection_.result(steady_now_ns());
  const std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}

void PlayNode::on_states(const dds::JointState& m) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto names = dds::view(m.name);
  const auto positions = dds::view(m.position);
  for (std::size_t i = 0; i < names.size() && i < positions.size(); ++i) {
    const auto found = std::find(joints_.begin(), joints_.end(), names[i]);
    if (found == joints_.end() || !std::isfinite(positions[i])) continue;
    const auto k = static_cast<std::size_t>(found - joints_.begin());
    positions_[static_cast<Index>(k)] = positions[i];
    known_[k] = true;
  }
  if (!tracking_) return;
  const double t = 1e-9 * static_cast<double>(dds::nanoseconds(m.header.stamp) - begun_system_);
  if (t < motion_->begin_s() || t > motion_->end_s()) return;
  track(t);
  if (recorder_ == nullptr) return;
  states_.name.clear();
  for (const auto name : names) states_.name.emplace_back(name);
  const auto copy = [](const auto& from, std::vector<double>& to) {
    to.clear();
    for (std::size_t i = 0; i < from.size(); ++i) to.push_back(from[i]);
  };
  copy(positions, states_.position);
  copy(dds::view(m.velocity), states_.velocity);
  copy(dds::view(m.effort), states_.effort);
  recorder_->write(t - motion_->begin_s(), states_);
}

void PlayNode::track(double t) {
  motion_->sample(t, q_, v_, a_);
  for (Index k = 0; k < q_.size(); ++k) {
    // A continuous joint may be whole turns away.
    const double error = std::abs(std::remainder(positions_[k] - q_[k], 2.0 * M_PI));
    if (error < error_.largest && !error_.joint.empty()) continue;
    error_ = {error, joints_[static_cast<std::size_t>(k)]};
  }
}

}  // namespace spatial_dynamics::cli
