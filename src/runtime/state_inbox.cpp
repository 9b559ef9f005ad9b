#include "runtime/state_inbox.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kFutureTolerance = kNanosecondsPerSecond / 10;  // clocks of two hosts differ

bool is_future(std::int64_t stamp, std::int64_t ros_now) noexcept {
  return ros_now != 0 && stamp > ros_now + kFutureTolerance;
}
bool is_plausible_motion(const Vector3& x) noexcept {
  return is_plausible_state(x.x()) && is_plausible_state(x.y()) && is_plausible_state(x.z());
}

}  // namespace

StateInbox::StateInbox(const Model& model, const Coordinates& coordinates, JointStates blank,
                       RejectionCounts& rejections)
    : coordinates_(coordinates),
      rejections_(rejections),
      records_(coordinates.size()),
      merged_(std::move(blank)),
      states_(merged_) {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Joint& joint = model.joint(coordinates_[k].joint);
    if (joint.type == JointType::kPlanar) continue;  // its limit can't be both rad/s and m/s
    records_[k].filter = JointFilter(joint.limits.velocity, coordinates_[k].wraps);
  }
}

void StateInbox::copy_from(const StateInbox& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    JointFilter filter = records_[k].filter;  // velocity limits are the new robot's
    filter.continue_from(other.records_[k].filter);
    records_[k] = other.records_[k];
    records_[k].filter = filter;
  }
  odometry_ = other.odometry_;
  odometry_sources_ = other.odometry_sources_;
  latest_ = other.latest_;
  merged_ = other.merged_;
  states_.write_slot() = merged_;
  states_.publish();
}

std::optional<Quaternion> StateInbox::base_orientation() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (merged_.base_received == 0) return std::nullopt;
  return Quaternion(merged_.q.segment<4>(3));
}

/// Whether the difference of two stamps is a time: both are of one publisher's clock.
bool StateInbox::comparable(const Sequence& last, const Sequence& next) noexcept {
  return last.stamp > 0 && next.stamp > 0 && last.source == next.source &&
         last.doubtful == next.doubtful;
}

StateInbox::Order StateInbox::Stamps::order_of(const Sequence& next) const noexcept {
  if (next.stamp <= 0) return Order::kNext;  // unknown
  const auto last = std::find_if(last_.begin(), last_.end(), [&](const Sequence& known) {
    return known.stamp > 0 && known.source == next.source;
  });
  if (last == last_.end()) return Order::kNext;
  if (last->doubtful && !next.doubtful)
    return Order::kNext;  // a wrong stamp must not outdate a right one
  const std::int64_t back = last->stamp - next.stamp;
  if (back >= kNanosecondsPerSecond) return Order::kWentBack;
  return back > 0 ? Order::kOutdated : Order::kNext;
}

void StateInbox::Stamps::accept(const Sequence& next) noexcept {
  for (Sequence& known : last_) {
    if (known.source != next.source || known.stamp <= 0) continue;
    known = next;
    return;
  }
  last_[oldest_] = next;
  oldest_ = (oldest_ + 1) % last_.size();
}

/// Publishes the merged state. Its stamp is the publisher's if that is plausible, else our clock's;
/// before our clock is known every stamp is plausible. The stamp does not go back by less than a
/// second, because the clocks of publishers differ.
void StateInbox::publish_states(std::int64_t stamp, std::int64_t now, std::int64_t ros_now) {
  const bool doubtful = stamp <= 0 || is_future(stamp, ros_now);
  if (doubtful) rejections_.add(RejectionReason::kReceiveTimeUsed);
  const std::int64_t usable = doubtful ? ros_now : stamp;
  stamp_lag_.store(ros_now == 0 ? 0 : std::max<std::int64_t>(0, ros_now - usable),
                   std::memory_order_relaxed);
  JointStates& states = merged_;
  const std::int64_t back = states.stamp - usable;
  if (back <= 0 || back >= kNanosecondsPerSecond) states.stamp = usable;
  states.newest = now;
  ++states.sequence;
  states_.write_slot() = states;
  states_.publish();
}

RejectionReason StateInbox::on_joint_states(const JointStateView& message, std::int64_t now,
                                            std::int64_t ros_now,
                                            MissingVelocity missing_velocity) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const RejectionReason rejection = names_.update(coordinates_, message.names);
  if (rejection != RejectionReason::kNone) return rejections_.add(rejection);
  const std::size_t n = message.names.size();
  if (message.position.size != n || !message.velocity.fits(n) || !message.effort.fits(n)) {
    return rejections_.add(RejectionReason::kLengthMismatch);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (names_.index()[i] != kNoIndex && !is_plausible_state(message.position[i])) {
      return rejections_.add(RejectionReason::kBadPosition);
    }
  }
  const Sequence next{message.stamp, message.source, is_future(message.stamp, ros_now)};
  latest_ = now;
  if (jumps(message, next, now)) return rejections_.add(RejectionReason::kStateJump);
  std::size_t taken = 0, outdated = 0;
  bool went_back = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (names_.index()[i] == kNoIndex) continue;
    const auto k = static_cast<std::size_t>(names_.index()[i]);
    const Order order = records_[k].order;
    if (order == Order::kOutdated) {
      ++outdated;
      continue;
    }
    went_back = went_back || order == Order::kWentBack;
    take_joint(message, i, k, next, now, missing_velocity);
    ++taken;
  }
  if (went_back) {
    rejections_.add(RejectionReason::kTimeWentBack);
    ++merged_.resets;
  }
  if (taken == 0)
    return outdated > 0 ? rejections_.add(RejectionReason::kOutdated) : RejectionReason::kNone;
  if (outdated > 0) rejections_.add(RejectionReason::kOutdated);
  publish_states(message.stamp, now, ros_now);
  return RejectionReason::kNone;
}

JointReading StateInbox::reading_of(const JointStateView& message, std::size_t i) noexcept {
  JointReading reading;
  reading.position = message.position[i];
  if (!message.velocity.empty()) reading.velocity = message.velocity[i];
  if (!message.effort.empty()) reading.effort = message.effort[i];
  return reading;
}

ReadingTime StateInbox::time_of(const JointRecord& record, const Sequence& next,
                                std::int64_t now) noexcept {
  const bool stamped = comparable(record.last, next);
  return {now, stamped, stamped ? next.stamp - record.last.stamp : 0};
}

/// Finds the order of every joint's state, and whether one of them jumped: then the whole message
/// is dropped, because a publisher that sends one impossible number can't be trusted with the
/// others. After a real jump the joint's history restarts.
bool StateInbox::jumps(const JointStateView& message, const Sequence& next, std::int64_t now) {
  const double factor = jump_factor_.load(std::memory_order_relaxed);
  bool jump = false, real_jump = false;
  for (std::size_t i = 0; i < names_.index().size(); ++i) {
    if (names_.index()[i] == kNoIndex) continue;
    JointRecord& record = records_[static_cast<std::size_t>(names_.index()[i])];
    record.order = record.stamps.order_of(next);
    if (record.order == Order::kOutdated) continue;
    if (record.sources.note(message.source, now)) rejections_.add(RejectionReason::kTwoPublishers);
    if (record.order == Order::kWentBack) record.filter.restart();
    const auto verdict =
        record.filter.judge(reading_of(message, i), time_of(record, next, now), factor);
    jump = jump || verdict == JumpFilter::Verdict::kJump;
    real_jump = real_jump || verdict == JumpFilter::Verdict::kRealJump;
  }
  if (real_jump && !jump) ++merged_.resets;
  return jump;
}

void StateInbox::take_joint(const JointStateView& message, std::size_t i, std::size_t k,
                            const Sequence& next, std::int64_t now,
                            MissingVelocity missing_velocity) {
  JointRecord& record = records_[k];
  const JointFilter::Missing missing = record.filter.accept(
      reading_of(message, i), time_of(record, next, now), missing_velocity,
      jump_factor_.load(std::memory_order_relaxed), coordinates_[k], k, merged_);
  if (missing.velocity) rejections_.add(RejectionReason::kMissingVelocity);
  if (missing.effort && !message.effort.empty()) rejections_.add(RejectionReason::kMissingEffort);
  record.last = next;
  record.stamps.accept(next);
}

RejectionReason StateInbox::on_odometry(const OdometryView& message, std::int64_t now,
                                        std::int64_t ros_now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!coordinates_.floating_base()) return RejectionReason::kNone;
  const double norm = message.orientation.norm();
  const bool good_pose = is_plausible_motion(message.position) && std::abs(norm - 1.0) < 1e-2;
  if (!good_pose) return rejections_.add(RejectionReason::kBadPosition);
  if (!is_plausible_motion(message.linear_velocity) ||
      !is_plausible_motion(message.angular_velocity)) {
    return rejections_.add(RejectionReason::kBadNumber);
  }
  const Sequence next{message.stamp, message.source, is_future(message.stamp, ros_now)};
  latest_ = now;
  const Order order = odometry_.order_of(next);
  if (order == Order::kOutdated) return rejections_.add(RejectionReason::kOutdated);
  if (odometry_sources_.note(message.source, now)) rejections_.add(RejectionReason::kTwoOdometries);
  if (order == Order::kWentBack) {
    rejections_.add(RejectionReason::kTimeWentBack);
    ++merged_.resets;
  }
  odometry_.accept(next);
  JointStates& states = merged_;
  states.q.head<3>() = message.position;
  states.q.segment<4>(3) = message.orientation.coeffs() / norm;
  states.v.head<3>() = message.angular_velocity;
  states.v.segment<3>(3) = message.linear_velocity;
  states.base_received = now;
  publish_states(message.stamp, now, ros_now);
  return RejectionReason::kNone;
}

std::vector<std::string> StateInbox::joints_silent_since(std::int64_t time) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (merged_.received[k] < time) names.push_back(coordinates_[k].name);
  }
  return names;
}

std::string StateInbox::disputed_joint() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t k = records_.size(); k-- > 0;) {
    if (records_[k].sources.disputed(latest_)) return coordinates_[k].name;
  }
  return {};
}

bool StateInbox::odometry_disputed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return odometry_sources_.disputed(latest_);
}

std::string StateInbox::joint_without_effort() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (records_[k].filter.known() && merged_.has_effort[k] == 0) return coordinates_[k].name;
  }
  return {};
}

std::string StateInbox::joint_without_velocity() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (records_[k].filter.known() && !records_[k].filter.had_velocity())
      return coordinates_[k].name;
  }
  return {};
}

}  // namespace spatial_dynamics
