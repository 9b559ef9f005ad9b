#include "envelope_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
double stopping_speed(double distance, double deceleration, double period_s) noexcept {
  if (distance <= 0.0) return 0.0;
  const double t = kApproachPeriods * period_s;
  const double at = deceleration * t;
  if (distance <= at * t) return distance / t;
  return std::sqrt(2.0 * deceleration * distance - at * at);
}

double stop_bound(double speed, double distance, double deceleration, double period_s) noexcept {
  const double back = kReturnPeriods * period_s;
  // The speed at the end of the period is then at most -speed, and the joint does not come closer
  // to the stop: the bound adds no energy.
  const double returns = speed < 0.0 ? -2.0 * speed / period_s : -speed / back;
  if (distance <= 0.0) return returns;
  const double t = kApproachPeriods * period_s;
  const double permitted = stopping_speed(distance, deceleration, period_s);
  // d/dt permitted = -speed * slope; the slope is 1/t, then A / permitted.
  const double slope = distance <= deceleration * t * t ? 1.0 / t : deceleration / permitted;
  const double follows = std::max(-speed * slope + (permitted - speed) / back,
                                  (kFreeShare * permitted - speed) / period_s);
  return speed < 0.0 ? std::max(follows, returns) : follows;
}

AccelerationBound stop_bounds(double speed, double soft_distance, double hard_distance,
                              double deceleration, double period_s) noexcept {
  const double wanted = std::min(stop_bound(speed, soft_distance, deceleration, period_s),
                                 stop_bound(speed, hard_distance, deceleration, period_s));
  const double left = hard_distance + kPositionTolerance;
  // Half of the speed from which the joint can still stop in the next periods.
  const double permitted = 0.5 * stopping_speed(left, deceleration, period_s);
  double last = std::max(wanted, (permitted - speed) / period_s);
  // v^2 = 2 a d: the constant deceleration that ends within the tolerance.
  if (speed > 0.0 && left > 0.0) last = std::max(last, -0.5 * speed * speed / left);
  return {wanted, last};
}

}  // namespace spatial_dynamics
