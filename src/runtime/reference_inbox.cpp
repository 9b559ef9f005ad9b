#include "runtime/reference_inbox.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kFarthestStart =
    3600 * kNanosecondsPerSecond;  // a trajectory that starts later is a mistake in the clock
constexpr std::size_t kMostKnots = 1'000'000;  // of all joints, those of the future included
constexpr std::ptrdiff_t kMostLater = 100;     // trajectories of the future, per joint

/// All points have the same parts, each for every name, at growing times. There is at least one
/// point.
RejectionReason check_points(const TrajectoryView& message) noexcept {
  const std::size_t n = message.names.size();
  const std::vector<TrajectoryPointView>& points = message.points;
  const TrajectoryPointView& first = points.front();
  const bool trajectory = points.size() > 1 || first.time_from_start > 0;
  if (trajectory && first.positions.empty()) return RejectionReason::kLengthMismatch;
  std::int64_t before = -1;
  for (const TrajectoryPointView& p : points) {
    if (!p.positions.fits(n) || !p.velocities.fits(n) || !p.accelerations.fits(n) ||
        !p.effort.fits(n)) {
      return RejectionReason::kLengthMismatch;
    }
    if (p.positions.size != first.positions.size || p.velocities.size != first.velocities.size ||
        p.accelerations.size != first.accelerations.size || p.effort.size != first.effort.size) {
      return RejectionReason::kLengthMismatch;
    }
    if (!is_plausible(p.positions) || !is_plausible(p.velocities) ||
        !is_plausible(p.accelerations) || !is_plausible(p.effort)) {
      return RejectionReason::kBadNumber;
    }
    if (p.time_from_start <= before) return RejectionReason::kBadTimes;
    before = p.time_from_start;
  }
  return RejectionReason::kNone;
}

Knot knot_of(const TrajectoryPointView& point, std::size_t i) noexcept {
  const auto at = [i](const NumberView& numbers) { return numbers.empty() ? 0.0 : numbers[i]; };
  return {to_seconds(point.time_from_start), at(point.positions), at(point.velocities),
          at(point.accelerations), at(point.effort)};
}

/// The reference of name i of the message, for coordinate k. Returns whether a position was
/// clipped.
bool fill_knots(const TrajectoryView& message, std::size_t i, const PositionLimits& limits,
                std::size_t k, JointReference& reference) {
  bool clipped = false;
  const auto knot_within_limits = [&](const TrajectoryPointView& point) {
    Knot knot = knot_of(point, i);
    if (reference.has_position) clipped = limits.clip(k, knot) || clipped;
    return knot;
  };
  const TrajectoryPointView& first = message.points.front();
  reference.has_position = !first.positions.empty();
  reference.has_velocity = !first.velocities.empty();
  reference.has_acceleration = !first.accelerations.empty();
  reference.has_effort = !first.effort.empty();
  std::vector<Knot> knots;
  if (reference.immediate) {
    reference.setpoint = knot_within_limits(first);
  } else {
    knots.reserve(message.points.size());
    for (const TrajectoryPointView& point : message.points) {
      knots.push_back(knot_within_limits(point));
    }
  }
  reference.knots = std::move(knots);
  return clipped;
}

/// Drops references that a later one has replaced by now. Of a trajectory that has ended only the
/// last knot is kept, which holds. One without a stamp may have begun later than it arrived, so its
/// end is not known here.
void release_ended(JointReference& first, std::int64_t now) {
  std::vector<JointReference>& later = first.later;
  while (!later.empty() && later.front().start <= now) {
    JointReference next = std::move(later.front());
    next.later.assign(std::make_move_iterator(later.begin() + 1),
                      std::make_move_iterator(later.end()));
    first = std::move(next);
  }
  if (first.immediate || first.starts_on_arrival || first.knots.size() < 2) return;
  if (to_seconds(now - first.start) <= first.knots.back().time_s) return;
  first.knots = std::vector<Knot>{first.knots.back()};
}

/// How many knots a joint's references have besides a reference that starts at `start`.
std::size_t knots_beside(const JointReference& first, std::int64_t now, std::int64_t start) {
  if (start <= now) return 0;  // replaces all
  std::size_t count = first.knots.size();
  for (const JointReference& r : first.later) {
    if (r.start < start) count += r.knots.size();
  }
  return count;
}

/// The place for a reference that starts at `start`. References that would start later are removed;
/// those that started before go on until then.
JointReference& add_reference(JointReference& first, std::int64_t now, std::int64_t start) {
  std::vector<JointReference>& later = first.later;
  later.erase(std::find_if(later.begin(), later.end(),
                           [start](const JointReference& r) { return r.start >= start; }),
              later.end());
  if (start <= now) {
    later.clear();
    return first;
  }
  return later.emplace_back();
}

}  // namespace

ReferenceInbox::ReferenceInbox(const Model& model, const Coordinates& coordinates, References blank,
                               RejectionCounts& rejections)
    : coordinates_(coordinates),
      rejections_(rejections),
      limits_(model, coordinates),
      merged_(std::move(blank)),
      references_(merged_) {}

void ReferenceInbox::copy_from(const ReferenceInbox& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  generation_ = other.generation_;
  merged_ = other.merged_;
  publish_references();
}

void ReferenceInbox::number_after(const ReferenceInbox& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  generation_ = std::max(generation_, other.generation_);
}

std::uint64_t ReferenceInbox::discard(std::uint64_t generation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  generation_ = std::max(generation_, generation);
  for (JointReference& joint : merged_.joints) joint = JointReference{};
  publish_references();
  return generation_;
}

RejectionReason ReferenceInbox::on_reference(const TrajectoryView& message, std::int64_t now,
                                             std::int64_t ros_now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  RejectionReason rejection = names_.update(coordinates_, message.names);
  if (rejection != RejectionReason::kNone) return rejections_.add(rejection);
  if (names_.has_unknown()) {
    return rejections_.add(RejectionReason::kUnknownJoint,
                           in_quotes(names_.unknown()) + "; choose among " +
                               list_of_names(names_of(coordinates_.scalars())));
  }
  if (message.points.empty()) return rejections_.add(RejectionReason::kLengthMismatch);
  const bool immediate = message.points.size() == 1 && message.points.front().time_from_start == 0;
  const bool stamped = !immediate && message.stamp != 0;
  if (stamped && ros_now == 0) return rejections_.add(RejectionReason::kNoClock);
  const std::int64_t delay = stamped ? message.stamp - ros_now : 0;
  // Before anything is read or copied that may be large.
  if (too_many(message.points.size(), now, now + delay))
    return rejections_.add(RejectionReason::kTooLarge);
  rejection = check_points(message);
  if (rejection != RejectionReason::kNone) return rejections_.add(rejection);
  const bool over = delay + message.points.back().time_from_start < 0;
  if (std::abs(delay) > kFarthestStart || over) return rejections_.add(RejectionReason::kBadTimes);

  const std::uint64_t generation = ++generation_;
  bool clipped = false;
  for (std::size_t i = 0; i < names_.index().size(); ++i) {
    const auto k = static_cast<std::size_t>(names_.index()[i]);
    JointReference& first = merged_.joints[k];
    JointReference& reference = add_reference(first, now, now + delay);
    reference.generation = generation;
    reference.received = now;
    reference.start = now + delay;
    reference.immediate = immediate;
    reference.starts_on_arrival = !stamped;
    clipped = fill_knots(message, i, limits_, k, reference) || clipped;
  }
  if (clipped) (void)rejections_.add(RejectionReason::kClippedReference);
  publish_references();
  return RejectionReason::kNone;
}

bool ReferenceInbox::too_many(std::size_t points, std::int64_t now, std::int64_t start) {
  if (points > kMostPoints) return true;
  std::size_t knots = points * names_.index().size();
  for (JointReference& joint : merged_.joints) {
    release_ended(joint, now);
    knots += knots_beside(joint, now, std::numeric_limits<std::int64_t>::max());
  }
  for (const Index k : names_.index()) {
    const JointReference& joint = merged_.joints[static_cast<std::size_t>(k)];
    knots -= knots_beside(joint, now, std::numeric_limits<std::int64_t>::max());
    knots += knots_beside(joint, now, start);
    const auto waits = [start](const JointReference& r) { return r.start < start; };
    if (std::count_if(joint.later.begin(), joint.later.end(), waits) >= kMostLater) return true;
  }
  return knots > kMostKnots;
}

void ReferenceInbox::publish_references() {
  references_.write_slot() = merged_;
  references_.publish();
  // The slot that came back holds references from before: release them here, not with the next
  // message.
  references_.write_slot() = merged_;
}

}  // namespace spatial_dynamics
