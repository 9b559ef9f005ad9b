#include "reference_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

ReferenceSample standing_at(double position) noexcept {
  ReferenceSample sample;
  sample.position = position;
  sample.has_position = true;
  return sample;
}

}  // namespace

ReferenceSample interpolate(const Knot& from, const Knot& to, bool has_velocity,
                            bool has_acceleration, double time_s) noexcept {
  const double T = to.time_s - from.time_s;
  const double t = std::clamp(time_s - from.time_s, 0.0, T);
  ReferenceSample s = standing_at(to.position);
  s.effort = T > 0.0 ? from.effort + (to.effort - from.effort) * (t / T) : to.effort;
  if (!(T > 0.0)) return s;
  // p(t) = c0 + c1 t + … + c5 t^5 with position (velocity, acceleration) given at both ends.
  const double d = to.position - from.position;
  double c1 = d / T, c2 = 0.0, c3 = 0.0, c4 = 0.0, c5 = 0.0;
  if (has_velocity && has_acceleration) {
    const double v0 = from.velocity, v1 = to.velocity, a0 = from.acceleration, a1 = to.acceleration;
    c1 = v0;
    c2 = 0.5 * a0;
    c3 = (20 * d - (8 * v1 + 12 * v0) * T - (3 * a0 - a1) * T * T) / (2 * T * T * T);
    c4 = (-30 * d + (14 * v1 + 16 * v0) * T + (3 * a0 - 2 * a1) * T * T) / (2 * T * T * T * T);
    c5 = (12 * d - 6 * (v1 + v0) * T - (a0 - a1) * T * T) / (2 * T * T * T * T * T);
  } else if (has_velocity) {
    const double v0 = from.velocity, v1 = to.velocity;
    c1 = v0;
    c2 = (3 * d - (2 * v0 + v1) * T) / (T * T);
    c3 = (-2 * d + (v0 + v1) * T) / (T * T * T);
  }
  s.position = from.position + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))));
  s.velocity = c1 + t * (2 * c2 + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
  s.acceleration = 2 * c2 + t * (6 * c3 + t * (12 * c4 + t * 20 * c5));
  return s;
}

ReferenceTracker::ReferenceTracker(const std::vector<ScalarCoordinate>& coordinates)
    : coordinates_(coordinates), trajectories_(coordinates.size()), samples_(coordinates.size()) {}

void ReferenceTracker::restart(const References& references, VectorIn q) noexcept {
  restart_since(std::numeric_limits<std::int64_t>::max(), references, q);
}

void ReferenceTracker::restart_since(std::int64_t since, const References& references,
                                     VectorIn q) noexcept {
  for (std::size_t k = 0; k < trajectories_.size(); ++k) {
    TrajectoryState& trajectory = trajectories_[k];
    trajectory = TrajectoryState{};
    trajectory.adoption = ++adoptions_;
    const JointReference& first = references.joints[k];
    if (first.received < since) trajectory.generation = first.generation;
    for (const JointReference& later : first.later) {
      if (later.received >= since) continue;
      trajectory.generation = std::max(trajectory.generation, later.generation);
    }
    trajectory.restarted = true;
    trajectory.hold = q(coordinates_[k].q);
    samples_[k] = standing_at(trajectory.hold);
  }
}

/// The point from which a new reference continues: the active reference, extrapolated to `now`
/// because a measured state is older; else the held position, so that feedback does not release it;
/// else the measured state.
Knot ReferenceTracker::present(std::size_t k, std::int64_t now, const Knot& measured,
                               bool holds) const noexcept {
  const ReferenceSample& s = samples_[k];
  const TrajectoryState& trajectory = trajectories_[k];
  const bool continues = trajectory.active || (holds && !trajectory.restarted);
  if (!continues || !s.has_position) return measured;
  const double dt = to_seconds(now - updated_);
  return {0.0, s.position + dt * (s.velocity + 0.5 * dt * s.acceleration),
          s.velocity + dt * s.acceleration, s.acceleration, s.effort};
}

void ReferenceTracker::adopt(std::size_t k, const JointReference& reference, std::int64_t now,
                             double ramp_s, const Knot& measured, bool holds) noexcept {
  TrajectoryState& trajectory = trajectories_[k];
  Knot from = present(k, now, measured, holds);
  trajectory.generation = reference.generation;
  trajectory.adoption = ++adoptions_;
  trajectory.timed_out = false;
  // A trajectory without a stamp that arrived before the first update starts now.
  trajectory.time_zero =
      trajectory.restarted && reference.starts_on_arrival ? now : reference.start;
  from.time_s = to_seconds(now - trajectory.time_zero);
  const Knots& knots = reference.knots;
  trajectory.active = reference.immediate || (!knots.empty() && from.time_s < knots.back().time_s);
  trajectory.segment = 0;
  trajectory.turns = 0.0;
  trajectory.join_s = 0.0;
  trajectory.start = from;
  if (!trajectory.active || !reference.has_position) return;
  const Knot& first = reference.immediate ? reference.setpoint : knots.front();
  const bool under_way = !reference.immediate && first.time_s <= from.time_s;
  const ReferenceSample there =
      under_way ? sample_trajectory(k, reference, from.time_s) : standing_at(first.position);
  if (coordinates_[k].wraps) {  // the shorter direction, with the same turns for all knots
    trajectory.turns = kTurn * std::round((from.position - there.position) / kTurn);
  }
  if (!under_way) return;
  trajectory.offset = {from.time_s, from.position - trajectory.turns - there.position,
                       from.velocity - there.velocity, 0.0, 0.0};
  trajectory.join_s = ramp_s;
}

ReferenceSample ReferenceTracker::sample_trajectory(std::size_t k, const JointReference& reference,
                                                    double time_s) noexcept {
  TrajectoryState& trajectory = trajectories_[k];
  const Knots& knots = reference.knots;
  while (trajectory.segment < knots.size() && knots[trajectory.segment].time_s <= time_s) {
    ++trajectory.segment;
  }
  ReferenceSample s;
  if (trajectory.segment >= knots.size()) {  // past the end: the last point is held
    s = standing_at(knots.back().position + trajectory.turns);
    s.effort = knots.back().effort;
  } else {
    Knot to = knots[trajectory.segment];
    to.position += trajectory.turns;
    Knot from = trajectory.start;
    if (trajectory.segment > 0) {
      from = knots[trajectory.segment - 1];
      from.position += trajectory.turns;
    }
    s = interpolate(from, to, reference.has_velocity, reference.has_acceleration, time_s);
  }
  const double join_end = trajectory.offset.time_s + trajectory.join_s;
  if (time_s < join_end) {
    const ReferenceSample offset =
        interpolate(trajectory.offset, {join_end, 0.0, 0.0, 0.0, 0.0}, true, true, time_s);
    s.position += offset.position;
    s.velocity += offset.velocity;
    s.acceleration += offset.acceleration;
  }
  return s;
}

/// The held position, and what remains of a reference that ended. It ramps out, so that a missing
/// message does not step the torque.
ReferenceSample ReferenceTracker::held(const TrajectoryState& trajectory) noexcept {
  ReferenceSample sample = standing_at(trajectory.hold);
  sample.timed_out = trajectory.timed_out;
  sample.velocity = trajectory.remaining * trajectory.last.velocity;
  sample.acceleration = trajectory.remaining * trajectory.last.acceleration;
  sample.effort = trajectory.remaining * trajectory.last.effort;
  sample.follows_reference = trajectory.remaining;
  return sample;
}

void ReferenceTracker::update(std::int64_t now, double timeout_s, double ramp_s,
                              const References& references, VectorIn q, VectorIn v,
                              bool holds) noexcept {
  // The ramp advances by its share of ramp_s in each cycle: a change of ramp_s changes its speed,
  // but not the present value.
  const double share = share_of_ramp(now, ramp_s);
  for (std::size_t k = 0; k < trajectories_.size(); ++k) {
    const JointReference& reference = reference_at(references.joints[k], now);
    TrajectoryState& trajectory = trajectories_[k];
    const double measured = q(coordinates_[k].q);
    if (reference.generation > trajectory.generation) {
      adopt(k, reference, now, ramp_s, {0.0, measured, v(coordinates_[k].v), 0.0, 0.0}, holds);
    }
    ReferenceSample& sample = samples_[k];
    const bool too_old =
        trajectory.active && reference.immediate && !is_fresh(now, reference.received, timeout_s);
    const bool vanished = trajectory.active && !reference.immediate && reference.knots.empty();
    if (vanished) {
      end(trajectory, sample, ramp_s);
    } else if (too_old) {
      trajectory.timed_out = !trajectory.restarted;  // false: it was never followed
      end(trajectory, sample, trajectory.timed_out ? ramp_s : 0.0);
    } else {
      trajectory.remaining = std::max(0.0, trajectory.remaining - share);
    }
    trajectory.restarted = false;
    if (!trajectory.active) {
      sample = held(trajectory);
      continue;
    }
    if (reference.immediate) {
      const Knot& knot = reference.setpoint;
      sample = ReferenceSample{};
      sample.position = knot.position + trajectory.turns;
      sample.velocity = knot.velocity;
      sample.acceleration = knot.acceleration;
      sample.effort = knot.effort;
      sample.has_position = reference.has_position;
    } else {
      sample = sample_trajectory(k, reference, to_seconds(now - trajectory.time_zero));
    }
    sample.follows_reference = 1.0;
    // This position is held if the reference ends in the next cycle.
    trajectory.hold = sample.has_position ? sample.position : measured;
  }
  updated_ = now;
}

double ReferenceTracker::share_of_ramp(std::int64_t now, double ramp_s) const noexcept {
  return ramp_s > 0.0 ? to_seconds(now - updated_) / ramp_s : 1.0;
}

/// Ends the reference; `last` is its sample of the cycle before.
void ReferenceTracker::end(TrajectoryState& trajectory, const ReferenceSample& last,
                           double ramp_s) noexcept {
  trajectory.active = false;
  trajectory.remaining = ramp_s > 0.0 ? 1.0 : 0.0;
  trajectory.last = last;
}

void ReferenceTracker::come_to_rest(std::int64_t now, double ramp_s) noexcept {
  const double share = share_of_ramp(now, ramp_s);
  for (std::size_t k = 0; k < trajectories_.size(); ++k) {
    TrajectoryState& trajectory = trajectories_[k];
    if (trajectory.active) {
      end(trajectory, samples_[k], ramp_s);
    } else {
      trajectory.remaining = std::max(0.0, trajectory.remaining - share);
    }
    samples_[k] = held(trajectory);
  }
  updated_ = now;
}

void ReferenceTracker::follow(std::int64_t now, VectorIn q, VectorIn v) noexcept {
  for (std::size_t k = 0; k < trajectories_.size(); ++k) {
    TrajectoryState& trajectory = trajectories_[k];
    trajectory.active = trajectory.restarted = trajectory.timed_out = false;
    trajectory.remaining = 0.0;
    trajectory.hold = q(coordinates_[k].q);
    samples_[k] = standing_at(trajectory.hold);
    samples_[k].velocity = v(coordinates_[k].v);
  }
  updated_ = now;
}

void ReferenceTracker::hold_rest(VectorIn q) noexcept {
  for (std::size_t k = 0; k < trajectories_.size(); ++k) {
    if (trajectories_[k].active) continue;
    trajectories_[k].hold = q(coordinates_[k].q);
    samples_[k] = standing_at(trajectories_[k].hold);
  }
}

void ReferenceTracker::continue_from(const ReferenceTracker& other) noexcept {
  std::copy(other.trajectories_.begin(), other.trajectories_.end(), trajectories_.begin());
  std::copy(other.samples_.begin(), other.samples_.end(), samples_.begin());
  adoptions_ = other.adoptions_;
  updated_ = other.updated_;
}

bool ReferenceTracker::follows() const noexcept {
  return std::any_of(trajectories_.begin(), trajectories_.end(),
                     [](const TrajectoryState& trajectory) { return trajectory.active; });
}

bool ReferenceTracker::timed_out() const noexcept {
  return std::any_of(trajectories_.begin(), trajectories_.end(),
                     [](const TrajectoryState& trajectory) { return trajectory.timed_out; });
}

}  // namespace spatial_dynamics
