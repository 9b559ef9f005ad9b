// The torque of ~/torque_array, which drives the robot.
#pragma once

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// Follows the sent torque while driving the robot is allowed. If the permission ends during
/// operation, the torque ramps from its last value to zero; if it begins during operation, the
/// torque ramps from zero to the sent torque. No ramp exceeds the rate limits. Construction
/// allocates; everything else is real-time safe.
class DriveGate {
 public:
  explicit DriveGate(Eigen::Index size) : torque_(VectorXd::Zero(size)), from_(torque_) {}

  /// nv numbers.
  [[nodiscard]] const VectorXd& torque() const noexcept { return torque_; }
  /// True if torque() must be sent. Also true for the final zero of a ramp.
  [[nodiscard]] bool sends() const noexcept { return sends_; }
  /// True if the last torque was not zero.
  [[nodiscard]] bool drives() const noexcept { return !torque_.isZero(0.0); }

  /// The torque is zero. The next step starts with the sent torque, without a ramp, if driving is
  /// allowed.
  void reset() noexcept {
    torque_.setZero();
    started_ = false;
  }
  /// One step. `share` is the part of a ramp that it covers. The limits have one number per row,
  /// the rate limits per s; infinite means none. A lowered effort limit applies at once.
  void step(bool allowed, const VectorXd& sent, double share, const VectorXd& effort_limit,
            const VectorXd& rate_limit, double dt_s) noexcept {
    const bool was_silent = !started_ || (!allowed_ && !drives());
    if (!started_) {
      progress_ = 1.0;
      ramps_ = false;
    } else if (allowed != allowed_) {
      from_ = torque_;
      progress_ = 0.0;
      ramps_ = true;
    }
    started_ = true;
    allowed_ = allowed;
    progress_ = std::min(1.0, progress_ + share);
    bool arrived = true;
    for (Eigen::Index k = 0; k < sent.size(); ++k) {
      // A ramp to zero starts at the last torque and ignores the sent torque, which may have no
      // limit any more.
      const double to = allowed ? sent(k) : 0.0;
      const double target = progress_ < 1.0 ? (1.0 - progress_) * from_(k) + progress_ * to : to;
      const double change = std::isfinite(rate_limit(k)) ? rate_limit(k) * dt_s : rate_limit(k);
      const double next =
          ramps_ ? std::clamp(target, torque_(k) - change, torque_(k) + change) : target;
      arrived = arrived && next == to;
      torque_(k) = std::clamp(next, -effort_limit(k), effort_limit(k));
    }
    if (arrived) ramps_ = false;
    sends_ = allowed || !was_silent;
  }

 private:
  VectorXd torque_;
  VectorXd from_;  // start of the present ramp
  double progress_ = 1.0;
  bool started_ = false;
  bool allowed_ = false;
  bool ramps_ = false;
  bool sends_ = false;
};

}  // namespace spatial_dynamics
