// What the gains of computed torque amount to.
#pragma once

#include <cmath>

namespace spatial_dynamics {

/// The rate, in 1/s, at which the error e of e'' + kd e' + kp e = 0 dies out: kp / kd, which is half the frequency w where it is
/// damped critically (kp = w^2, kd = 2 w), and no more than that where it is damped less.
///
/// Computed torque compensates viscous friction at v_ref + rate * e: the reference's velocity, and that at which an error shall go.
/// Real-time safe.
inline double error_decay_rate(double kp, double kd) noexcept {
  const double most = 0.5 * std::sqrt(kp);
  return kp < most * kd ? kp / kd : most;
}

}  // namespace spatial_dynamics
