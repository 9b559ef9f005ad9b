// How strongly a coordinate may accelerate towards a limit. All functions are real-time safe.
//
// Signs: `speed` and accelerations are positive towards the limit; `distance` is positive before
// the stop and negative beyond it. T is the period.
#pragma once

#include <algorithm>

namespace spatial_dynamics {

/// The greatest acceleration of the next period.
struct AccelerationBound {
  double wanted;  ///< keeps the limit without oscillation
  /// At least `wanted`. Still keeps the limit within kPositionTolerance or kSpeedTolerance. Where
  /// no torque satisfies all bounds, these have priority.
  double last_resort;
};

/// The tolerances of the last resort. The laws of the envelope (docs/envelope.md) allow twice as
/// much, so that half is left for the motion within a period.
inline constexpr double kPositionTolerance = 1e-3;  // rad or m
inline constexpr double kSpeedTolerance = 0.01;     // of the cap

/// Time constants, in periods: a joint approaches a stop exponentially over the last part of its
/// way, and returns to the permitted speed at a stop or at a cap.
inline constexpr double kApproachPeriods = 8.0;
inline constexpr double kReturnPeriods = 4.0;

/// A slower joint may reach this share of the permitted speed in one period. During the period the
/// permitted speed decreases by less than the rest.
inline constexpr double kFreeShare = 0.7;

/// The greatest speed from which a joint that decelerates by `deceleration` (at least 0; may be
/// infinite) comes to rest at `distance`:
///
///     sqrt(2 A d - (A t)^2), and d / t for d < A t^2,   t = kApproachPeriods T.
///
/// Both parts have the same value and slope where they meet. The slope is at most 1/t, so that the
/// sampled approach does not oscillate.
double stopping_speed(double distance, double deceleration, double period_s) noexcept;

/// The acceleration with which `speed` follows stopping_speed() while the joint moves. Beyond the
/// stop: the speed decays to zero. A joint that moves away from the stop may return to it, but not
/// faster than it left: nothing pushes a joint back.
double stop_bound(double speed, double distance, double deceleration, double period_s) noexcept;

/// The wanted bound stops at the soft limit, the last resort at the hard limit.
AccelerationBound stop_bounds(double speed, double soft_distance, double hard_distance,
                              double deceleration, double period_s) noexcept;

/// A velocity cap.
inline AccelerationBound cap_bounds(double speed, double cap, double period_s) noexcept {
  const double wanted =
      std::max((cap - speed) / (kReturnPeriods * period_s), (kFreeShare * cap - speed) / period_s);
  const double beyond = (1.0 + kSpeedTolerance) * cap - speed;
  return {wanted, std::max(std::max(wanted, beyond / period_s), 0.0)};
}

}  // namespace spatial_dynamics
