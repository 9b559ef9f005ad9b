// The torque while the mode cannot run.
#pragma once

#include "robot_dynamics.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// Zero, or for a limited time the gravity torque at the last known position. Construction
/// allocates; everything else is real-time safe.
class FallbackTorque {
 public:
  FallbackTorque(const VectorXd& q, Index nv) : held_q_(q), torque_(VectorXd::Zero(nv)) {}

  /// The last known position; nq numbers.
  void set_position(const VectorXd& q) noexcept { held_q_ = q; }
  /// Another phase begins: gravity_only may send the gravity torque again.
  void restart() noexcept { gravity_is_over_ = false; }

  /// One cycle. `time_is_over`: gravity_only_s has passed. Returns true if the torque steps; the
  /// caller must then crossfade.
  [[nodiscard]] bool update(Fallback fallback, bool time_is_over, double gravity_share,
                            RobotDynamics& robot) noexcept {
    bool steps = fallback != fallback_;
    fallback_ = fallback;
    torque_.setZero();
    if (fallback != Fallback::kGravityOnly || gravity_is_over_) return steps;
    if (!time_is_over) torque_ = gravity_share * robot.gravity_torque(held_q_);
    gravity_is_over_ = time_is_over || !torque_.allFinite();
    if (gravity_is_over_) {
      torque_.setZero();
      steps = true;
    }
    return steps;
  }
  [[nodiscard]] const VectorXd& torque() const noexcept { return torque_; }
  /// True if the torque of the last update() is zero and stays zero.
  [[nodiscard]] bool is_zero() const noexcept {
    return fallback_ != Fallback::kGravityOnly || gravity_is_over_;
  }

 private:
  VectorXd held_q_;
  VectorXd torque_;
  Fallback fallback_ = Fallback::kZero;  // of the last update()
  bool gravity_is_over_ = false;
};

}  // namespace spatial_dynamics
