// States: joint_states and odometry.
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/runtime/inbox.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kFutureTolerance = kSecond / 10;  // clocks of two hosts differ
constexpr double kAbsurd = 1e6;                          // rad, m, their rates; no joint is there

bool plausible(double x) noexcept { return std::abs(x) <= kAbsurd; }  // false for NaN

bool fits(const NumberView& numbers, std::size_t names) noexcept {
  return numbers.empty() || numbers.size == names;
}

}  // namespace

std::int64_t Inbox::usable_stamp(std::int64_t stamp, std::int64_t ros_now) noexcept {
  if (stamp > 0 && stamp <= ros_now + kFutureTolerance) return stamp;
  noted(Oddity::kReceiveTimeUsed);
  return ros_now;
}

Oddity Inbox::on_joint_states(const JointStateView& message, std::int64_t now, std::int64_t ros_now,
                              MissingVelocity missing_velocity) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const NameMap& map = map_names(state_names_, message.names);
  if (map.oddity != Oddity::kNone) return noted(map.oddity);
  const std::size_t n = message.names.size();
  if (message.position.size != n || !fits(message.velocity, n) || !fits(message.effort, n)) {
    return noted(Oddity::kLengthMismatch);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (map.index[i] != kNoIndex && !plausible(message.position[i])) {
      return noted(Oddity::kBadPosition);
    }
  }
  const std::int64_t stamp = usable_stamp(message.stamp, ros_now);
  std::size_t taken = 0, outdated = 0;
  bool went_back = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (map.index[i] == kNoIndex) continue;
    const auto k = static_cast<std::size_t>(map.index[i]);
    const std::int64_t back = records_[k].stamp - stamp;
    if (back > 0 && back < kSecond) {
      ++outdated;
      continue;
    }
    if (back >= kSecond) {
      went_back = true;
      records_[k].known = false;  // differences across the jump mean nothing
    }
    take_joint(message, i, k, now, stamp, missing_velocity, merged_states_);
    ++taken;
  }
  if (went_back) {
    noted(Oddity::kTimeWentBack);
    ++merged_states_.resets;
  }
  if (taken == 0) return outdated > 0 ? noted(Oddity::kOutdated) : Oddity::kNone;
  if (outdated > 0) noted(Oddity::kOutdated);
  merged_states_.newest = now;
  merged_states_.stamp = stamp;
  ++merged_states_.sequence;
  states_.write_slot() = merged_states_;
  states_.publish();
  return Oddity::kNone;
}

void Inbox::take_joint(const JointStateView& message, std::size_t i, std::size_t k,
                       std::int64_t now, std::int64_t stamp, MissingVelocity missing_velocity,
                       JointStates& states) {
  const ScalarCoordinate& coordinate = coordinates_[k];
  JointRecord& record = records_[k];
  const double position = message.position[i];
  double velocity = 0.0;
  if (!message.velocity.empty() && plausible(message.velocity[i])) {
    velocity = message.velocity[i];
  } else {
    noted(Oddity::kMissingVelocity);
    if (missing_velocity == MissingVelocity::kDifferentiate && record.known) {
      double moved = position - record.position;
      if (coordinate.wraps) moved = std::remainder(moved, 2.0 * M_PI);
      const double seconds = static_cast<double>(stamp - record.stamp) / kSecond;
      // Two states within a tenth of a millisecond are one, told twice.
      const double difference = moved / std::max(seconds, 1e-4);
      velocity = seconds >= 1e-4 && plausible(difference) ? difference : states.v(coordinate.v);
    }
  }
  const bool has_effort = !message.effort.empty() && std::isfinite(message.effort[i]);
  if (!message.effort.empty() && !has_effort) noted(Oddity::kMissingEffort);
  // A publisher that takes over is normal (a restart); one that keeps alternating with another is a dispute.
  if (record.source != message.source && message.source != 0) {
    if (record.source != 0 && now - record.source_since < kSecond) {
      noted(Oddity::kTwoPublishers);
      disputed_at_ = now;
      disputed_ = k;
    }
    record.source = message.source;
    record.source_since = now;
  }
  if (disputed_at_ != 0 && now - disputed_at_ > 5 * kSecond) disputed_at_ = 0;
  record.position = position;
  record.stamp = stamp;
  record.known = true;
  states.q(coordinate.q) = position;
  states.v(coordinate.v) = velocity;
  states.effort(coordinate.v) = has_effort ? message.effort[i] : 0.0;
  states.has_effort[k] = has_effort ? 1 : 0;
  states.received[k] = now;
}

Oddity Inbox::on_odometry(const OdometryView& message, std::int64_t now, std::int64_t ros_now) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  if (!floating_base_) return Oddity::kNone;
  const double norm = message.orientation.norm();
  const bool good_pose = message.position.array().abs().maxCoeff() <= kAbsurd &&
                         message.position.allFinite() && std::abs(norm - 1.0) < 1e-2;
  if (!good_pose) return noted(Oddity::kBadPosition);
  const auto good = [](const Vector3& x) {
    return x.allFinite() && x.array().abs().maxCoeff() <= kAbsurd;
  };
  if (!good(message.linear_velocity) || !good(message.angular_velocity)) {
    return noted(Oddity::kBadNumber);
  }
  const std::int64_t stamp = usable_stamp(message.stamp, ros_now);
  const std::int64_t back = odometry_stamp_ - stamp;
  if (back > 0 && back < kSecond) return noted(Oddity::kOutdated);
  if (back >= kSecond) {
    noted(Oddity::kTimeWentBack);
    ++merged_states_.resets;
  }
  odometry_stamp_ = stamp;
  JointStates& states = merged_states_;
  states.q.head<3>() = message.position;
  states.q.segment<4>(3) = message.orientation.coeffs() / norm;
  states.v.head<3>() = message.angular_velocity;
  states.v.segment<3>(3) = message.linear_velocity;
  states.base_received = now;
  states.newest = now;
  states.stamp = stamp;
  ++states.sequence;
  states_.write_slot() = states;
  states_.publish();
  return Oddity::kNone;
}

}  // namespace spatial_dynamics
