// States: joint_states and odometry.
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/inbox.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kFutureTolerance = kNanosecondsPerSecond / 10;  // clocks of two hosts differ
constexpr double kAbsurdState = 1e6;  // rad, m, their rates; no joint is there

bool is_future(std::int64_t stamp, std::int64_t ros_now) noexcept {
  return ros_now != 0 && stamp > ros_now + kFutureTolerance;
}
bool plausible_state(double x) noexcept { return std::abs(x) <= kAbsurdState; }  // false for NaN

}  // namespace

Inbox::Order Inbox::order_of(const Sequence& last, const Sequence& next) noexcept {
  if (last.stamp <= 0 || next.stamp <= 0) return Order::kNext;  // nobody knows
  if (last.doubtful && !next.doubtful) return Order::kNext;     // a slip must not outdate the truth
  const std::int64_t back = last.stamp - next.stamp;
  if (back >= kNanosecondsPerSecond) return Order::kWentBack;
  // Two publishers may have two clocks; that of the one says nothing about the other.
  return back > 0 && last.source == next.source ? Order::kOutdated : Order::kNext;
}

/// Makes what was merged the newest state. Its stamp is the publisher's where that can be true, else our own clock's; before our
/// clock is known there is nothing to doubt it by. It does not go back by a little: publishers' clocks differ, and one may hover
/// about what we take for the future.
void Inbox::hand_over_states(std::int64_t stamp, std::int64_t now, std::int64_t ros_now) {
  const bool doubtful = stamp <= 0 || is_future(stamp, ros_now);
  if (doubtful) noted(Oddity::kReceiveTimeUsed);
  const std::int64_t usable = doubtful ? ros_now : stamp;
  stamp_lag_.store(ros_now == 0 ? 0 : std::max<std::int64_t>(0, ros_now - usable),
                   std::memory_order_relaxed);
  JointStates& states = merged_states_;
  const std::int64_t back = states.stamp - usable;
  if (back <= 0 || back >= kNanosecondsPerSecond) states.stamp = usable;
  states.newest = now;
  ++states.sequence;
  states_.write_slot() = states;
  states_.publish();
}

Oddity Inbox::on_joint_states(const JointStateView& message, std::int64_t now, std::int64_t ros_now,
                              MissingVelocity missing_velocity) {
  const std::lock_guard<std::mutex> lock(callbacks_);
  const NameMap& map = map_names(state_names_, message.names);
  if (map.oddity != Oddity::kNone) return noted(map.oddity);
  const std::size_t n = message.names.size();
  if (message.position.size != n || !message.velocity.fits(n) || !message.effort.fits(n)) {
    return noted(Oddity::kLengthMismatch);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (map.index[i] != kNoIndex && !plausible_state(message.position[i])) {
      return noted(Oddity::kBadPosition);
    }
  }
  const Sequence next{message.stamp, message.source, is_future(message.stamp, ros_now)};
  std::size_t taken = 0, outdated = 0;
  bool went_back = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (map.index[i] == kNoIndex) continue;
    const auto k = static_cast<std::size_t>(map.index[i]);
    const Order order = order_of(records_[k].last, next);
    if (order == Order::kOutdated) {
      ++outdated;
      continue;
    }
    if (order == Order::kWentBack) {
      went_back = true;
      records_[k].known = false;  // differences across the jump mean nothing
    }
    take_joint(message, i, k, next, now, missing_velocity);
    ++taken;
  }
  if (went_back) {
    noted(Oddity::kTimeWentBack);
    ++merged_states_.resets;
  }
  if (taken == 0) return outdated > 0 ? noted(Oddity::kOutdated) : Oddity::kNone;
  if (outdated > 0) noted(Oddity::kOutdated);
  hand_over_states(message.stamp, now, ros_now);
  return Oddity::kNone;
}

/// The velocity between two states of a joint; `before` where they are too close to tell.
double Inbox::difference(const JointRecord& record, const Sequence& next, std::int64_t now,
                         double moved, double before) noexcept {
  constexpr double kOneState = 1e-4;  // s: two states closer than this are one, told twice
  const bool stamped = record.last.stamp > 0 && next.stamp > 0 &&
                       record.last.source == next.source && record.last.doubtful == next.doubtful;
  const std::int64_t ns = stamped ? next.stamp - record.last.stamp : now - record.received;
  const double seconds = to_seconds(ns);
  const double velocity = moved / std::max(seconds, kOneState);
  return seconds >= kOneState && plausible_state(velocity) ? velocity : before;
}

/// A publisher that takes over is normal (a restart); one that keeps alternating with another is a dispute.
void Inbox::note_source(std::size_t k, std::uint64_t source, std::int64_t now) noexcept {
  JointRecord& record = records_[k];
  if (record.last.source != source && source != 0) {
    if (record.last.source != 0 && now - record.source_since < kNanosecondsPerSecond) {
      noted(Oddity::kTwoPublishers);
      disputed_at_ = now;
      disputed_ = k;
    }
    record.source_since = now;
  }
  if (disputed_at_ != 0 && now - disputed_at_ > 5 * kNanosecondsPerSecond) disputed_at_ = 0;
}

/// Where a joint's velocity was known and one message lacks it, the positions tell: to take it for zero would kick the robot.
void Inbox::take_joint(const JointStateView& message, std::size_t i, std::size_t k,
                       const Sequence& next, std::int64_t now, MissingVelocity missing_velocity) {
  JointStates& states = merged_states_;
  const ScalarCoordinate& coordinate = coordinates_[k];
  JointRecord& record = records_[k];
  const double position = message.position[i];
  double velocity = 0.0;
  if (!message.velocity.empty() && plausible_state(message.velocity[i])) {
    velocity = message.velocity[i];
    record.had_velocity = true;
  } else {
    noted(Oddity::kMissingVelocity);
    const bool differentiate =
        missing_velocity == MissingVelocity::kDifferentiate || record.had_velocity;
    if (differentiate && record.known) {
      double moved = position - record.position;
      if (coordinate.wraps) moved = std::remainder(moved, 2.0 * M_PI);
      velocity = difference(record, next, now, moved, states.v(coordinate.v));
    }
  }
  const bool has_effort = !message.effort.empty() && std::isfinite(message.effort[i]);
  if (!message.effort.empty() && !has_effort) noted(Oddity::kMissingEffort);
  note_source(k, message.source, now);
  record.position = position;
  record.last = next;
  record.received = now;
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
  const bool good_pose = message.position.array().abs().maxCoeff() <= kAbsurdState &&
                         message.position.allFinite() && std::abs(norm - 1.0) < 1e-2;
  if (!good_pose) return noted(Oddity::kBadPosition);
  const auto good = [](const Vector3& x) {
    return x.allFinite() && x.array().abs().maxCoeff() <= kAbsurdState;
  };
  if (!good(message.linear_velocity) || !good(message.angular_velocity)) {
    return noted(Oddity::kBadNumber);
  }
  const Sequence next{message.stamp, 0, is_future(message.stamp, ros_now)};
  const Order order = order_of(odometry_, next);
  if (order == Order::kOutdated) return noted(Oddity::kOutdated);
  if (order == Order::kWentBack) {
    noted(Oddity::kTimeWentBack);
    ++merged_states_.resets;
  }
  odometry_ = next;
  JointStates& states = merged_states_;
  states.q.head<3>() = message.position;
  states.q.segment<4>(3) = message.orientation.coeffs() / norm;
  states.v.head<3>() = message.angular_velocity;
  states.v.segment<3>(3) = message.linear_velocity;
  states.base_received = now;
  hand_over_states(message.stamp, now, ros_now);
  return Oddity::kNone;
}

}  // namespace spatial_dynamics
