#include "spatial_dynamics/runtime/reference_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial_dynamics/runtime/clock.hpp"

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
    : coordinates_(coordinates), courses_(coordinates.size()), samples_(coordinates.size()) {}

void ReferenceTracker::restart(const References& references, VectorIn q) noexcept {
  restart_since(std::numeric_limits<std::int64_t>::max(), references, q);
}

void ReferenceTracker::restart_since(std::int64_t since, const References& references,
                                     VectorIn q) noexcept {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    course = Course{};
    const JointReference& first = references.joints[k];
    if (first.received < since) course.generation = first.generation;
    for (const JointReference& later : first.later) {
      if (later.received < since) course.generation = later.generation;
    }
    course.waited = true;
    course.hold = q(coordinates_[k].q);
    samples_[k] = standing_at(course.hold);
  }
}

/// Where a new reference goes on from: the one at work, as it would be now, since a measured state is older than that; or the
/// position that feedback holds, lest it let go; else what is measured.
Knot ReferenceTracker::present(std::size_t k, std::int64_t now, const Knot& measured,
                               bool holds) const noexcept {
  const ReferenceSample& s = samples_[k];
  const Course& course = courses_[k];
  const bool at_work = course.active || (holds && !course.waited);
  if (!at_work || !s.has_position) return measured;
  const double dt = to_seconds(now - updated_);
  return {0.0, s.position + dt * (s.velocity + 0.5 * dt * s.acceleration),
          s.velocity + dt * s.acceleration, s.acceleration, s.effort};
}

void ReferenceTracker::take_up(std::size_t k, const JointReference& reference, std::int64_t now,
                               double ramp_s, const Knot& measured, bool holds) noexcept {
  Course& course = courses_[k];
  Knot from = present(k, now, measured, holds);
  course.generation = reference.generation;
  course.timed_out = false;
  // What came in before the first update has waited for us, not the other way round.
  course.time_zero = course.waited && reference.starts_on_arrival ? now : reference.start;
  from.time_s = to_seconds(now - course.time_zero);
  const std::vector<Knot>& knots = reference.knots;
  course.active = reference.immediate ? !knots.empty() : from.time_s < knots.back().time_s;
  course.segment = 0;
  course.turns = 0.0;
  course.fade_s = 0.0;
  course.start = from;
  if (!course.active || !reference.has_position) return;
  const bool under_way = !reference.immediate && knots.front().time_s <= from.time_s;
  const ReferenceSample there = under_way ? sample_trajectory(k, reference, from.time_s)
                                          : standing_at(knots.front().position);
  if (coordinates_[k].wraps) {  // the short way round; later knots keep their distance
    course.turns = kTurn * std::round((from.position - there.position) / kTurn);
  }
  if (!under_way) return;
  course.offset = {from.time_s, from.position - course.turns - there.position,
                   from.velocity - there.velocity, 0.0, 0.0};
  course.fade_s = ramp_s;
}

ReferenceSample ReferenceTracker::sample_trajectory(std::size_t k, const JointReference& reference,
                                                    double time_s) noexcept {
  Course& course = courses_[k];
  const std::vector<Knot>& knots = reference.knots;
  while (course.segment < knots.size() && knots[course.segment].time_s <= time_s) ++course.segment;
  ReferenceSample s;
  if (course.segment == knots.size()) {  // past the end: its last point is held
    s = standing_at(knots.back().position + course.turns);
    s.effort = knots.back().effort;
  } else {
    Knot to = knots[course.segment];
    to.position += course.turns;
    Knot from = course.start;
    if (course.segment > 0) {
      from = knots[course.segment - 1];
      from.position += course.turns;
    }
    s = interpolate(from, to, reference.has_velocity, reference.has_acceleration, time_s);
  }
  const double fade_end = course.offset.time_s + course.fade_s;
  if (time_s < fade_end) {
    const ReferenceSample offset =
        interpolate(course.offset, {fade_end, 0.0, 0.0, 0.0, 0.0}, true, true, time_s);
    s.position += offset.position;
    s.velocity += offset.velocity;
    s.acceleration += offset.acceleration;
  }
  return s;
}

/// A held position, and what is left of a reference that ended: the torque must not step because nobody spoke.
ReferenceSample ReferenceTracker::standing(const Course& course) noexcept {
  ReferenceSample sample = standing_at(course.hold);
  sample.timed_out = course.timed_out;
  sample.velocity = course.left * course.last.velocity;
  sample.acceleration = course.left * course.last.acceleration;
  sample.effort = course.left * course.last.effort;
  sample.follows_reference = course.left;
  return sample;
}

void ReferenceTracker::update(std::int64_t now, double timeout_s, double ramp_s,
                              const References& references, VectorIn q, VectorIn v,
                              bool holds) noexcept {
  // Share by share, so that a new ramp_s changes the pace of a fading reference and not what is left of it.
  const double faded = share_of_ramp(now, ramp_s);
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const JointReference& reference = reference_at(references.joints[k], now);
    Course& course = courses_[k];
    const double measured = q(coordinates_[k].q);
    if (reference.generation > course.generation) {
      take_up(k, reference, now, ramp_s, {0.0, measured, v(coordinates_[k].v), 0.0, 0.0}, holds);
    }
    ReferenceSample& sample = samples_[k];
    const double age_s = to_seconds(now - reference.received);
    const bool too_old = course.active && reference.immediate && age_s > timeout_s;
    if (too_old) {
      course.timed_out = !course.waited;  // one that was never followed is not missed
      end(course, sample, course.timed_out ? ramp_s : 0.0);
    } else {
      course.left = std::max(0.0, course.left - faded);
    }
    course.waited = false;
    if (!course.active) {
      sample = standing(course);
      continue;
    }
    if (reference.immediate) {
      const Knot& knot = reference.knots.front();
      sample = ReferenceSample{};
      sample.position = knot.position + course.turns;
      sample.velocity = knot.velocity;
      sample.acceleration = knot.acceleration;
      sample.effort = knot.effort;
      sample.has_position = reference.has_position;
    } else {
      sample = sample_trajectory(k, reference, to_seconds(now - course.time_zero));
    }
    sample.follows_reference = 1.0;
    // What would be held if the reference ended now.
    course.hold = sample.has_position ? sample.position : measured;
  }
  updated_ = now;
}

double ReferenceTracker::share_of_ramp(std::int64_t now, double ramp_s) const noexcept {
  return ramp_s > 0.0 ? to_seconds(now - updated_) / ramp_s : 1.0;
}

/// The reference ends; `last` is what it asked for in the cycle before.
void ReferenceTracker::end(Course& course, const ReferenceSample& last, double ramp_s) noexcept {
  course.active = false;
  course.left = ramp_s > 0.0 ? 1.0 : 0.0;
  course.last = last;
}

void ReferenceTracker::come_to_rest(std::int64_t now, double ramp_s) noexcept {
  const double faded = share_of_ramp(now, ramp_s);
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    if (course.active) {
      end(course, samples_[k], ramp_s);
    } else {
      course.left = std::max(0.0, course.left - faded);
    }
    samples_[k] = standing(course);
  }
  updated_ = now;
}

void ReferenceTracker::hold_rest(VectorIn q) noexcept {
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    if (courses_[k].active) continue;
    courses_[k].hold = q(coordinates_[k].q);
    samples_[k] = standing_at(courses_[k].hold);
  }
}

void ReferenceTracker::continue_from(const ReferenceTracker& other) noexcept {
  std::copy(other.courses_.begin(), other.courses_.end(), courses_.begin());
  std::copy(other.samples_.begin(), other.samples_.end(), samples_.begin());
  updated_ = other.updated_;
}

bool ReferenceTracker::timed_out() const noexcept {
  return std::any_of(courses_.begin(), courses_.end(),
                     [](const Course& course) { return course.timed_out; });
}

}  // namespace spatial_dynamics
