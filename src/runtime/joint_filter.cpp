#include "runtime/joint_filter.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kLongestEffortGap = kNanosecondsPerSecond / 10;
constexpr double kAbsurdState = 1e6;  // rad, m, their rates; no joint is there

JointSample sample_of(const JointReading& reading, const ReadingTime& time) noexcept {
  JointSample sample;
  sample.position = reading.position;
  sample.has_velocity = std::isfinite(reading.velocity);
  if (sample.has_velocity) sample.velocity = reading.velocity;
  sample.received = time.received;
  if (time.stamped) sample.stamped_gap = time.gap;
  return sample;
}

}  // namespace

bool is_plausible_state(double x) noexcept { return std::abs(x) <= kAbsurdState; }

JumpFilter::Verdict JointFilter::judge(const JointReading& reading, const ReadingTime& time,
                                       double jump_factor) noexcept {
  const JumpFilter::Verdict verdict = jumps_.judge(sample_of(reading, time), jump_factor);
  if (verdict == JumpFilter::Verdict::kRealJump) discard_position();
  return verdict;
}

/// The velocity between two readings; `before` where they are too close in time.
double JointFilter::difference(double moved, const ReadingTime& time,
                               double before) const noexcept {
  constexpr double kOneState = 1e-4;  // s: two states closer than this are the same one
  const double seconds = to_seconds(time.stamped ? time.gap : time.received - received_);
  const double velocity = moved / std::max(seconds, kOneState);
  return seconds >= kOneState && is_plausible_state(velocity) ? velocity : before;
}

JointFilter::Missing JointFilter::accept(const JointReading& reading, const ReadingTime& time,
                                         MissingVelocity policy, double jump_factor,
                                         const ScalarCoordinate& coordinate, std::size_t k,
                                         JointStates& states) noexcept {
  Missing missing;
  double velocity = 0.0;
  if (is_plausible_state(reading.velocity)) {
    velocity = reading.velocity;
    had_velocity_ = true;
  } else {
    missing.velocity = true;
    const bool differentiate = policy == MissingVelocity::kDifferentiate || had_velocity_;
    if (differentiate && known_) {
      double moved = reading.position - position_;
      if (coordinate.wraps) moved = std::remainder(moved, 2.0 * M_PI);
      // The jump filter checks measured velocities; this one is cut to the same bound.
      const double bound = jumps_.velocity_bound(jump_factor);
      velocity = std::clamp(difference(moved, time, states.v(coordinate.v)), -bound, bound);
    }
  }
  const bool has_effort = std::isfinite(reading.effort);
  missing.effort = !has_effort;
  jumps_.accept(sample_of(reading, time));
  position_ = reading.position;
  received_ = time.received;
  known_ = true;
  states.q(coordinate.q) = reading.position;
  states.v(coordinate.v) = velocity;
  if (has_effort) effort_received_ = time.received;
  const bool effort_known =
      effort_received_ != 0 && time.received - effort_received_ <= kLongestEffortGap;
  if (has_effort) states.effort(coordinate.v) = reading.effort;
  if (!effort_known) states.effort(coordinate.v) = 0.0;
  states.has_effort[k] = effort_known ? 1 : 0;
  states.received[k] = time.received;
  return missing;
}

void JointFilter::restart() noexcept {
  jumps_.restart();
  discard_position();
}

void JointFilter::continue_from(const JointFilter& other) noexcept {
  JumpFilter jumps = jumps_;
  jumps.continue_from(other.jumps_);
  *this = other;
  jumps_ = jumps;
}

}  // namespace spatial_dynamics
