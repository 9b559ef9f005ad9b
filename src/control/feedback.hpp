// The error dynamics of computed torque.
#pragma once

#include <cmath>

namespace spatial_dynamics {

/// The rate, in 1/s, at which the error e of e'' + kd e' + kp e = 0 decays: kp / kd, but at most
/// sqrt(kp) / 2. At critical damping (kp = w^2, kd = 2 w) both are w / 2.
///
/// Computed torque compensates viscous friction at the velocity v_ref + rate * e, the velocity of
/// the reference plus that of a decaying error. Real-time safe.
inline double error_decay_rate(double kp, double kd) noexcept {
  const double most = 0.5 * std::sqrt(kp);
  return kp < most * kd ? kp / kd : most;
}

}  // namespace spatial_dynamics
