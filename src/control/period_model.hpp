// Predicts the accelerations of the next period.
#pragma once

#include "mass_inverse.hpp"
#include "robot_dynamics.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// The mean accelerations of the next period as a function of the torques, which is linear:
///
///     a = free() + inverse() (u - u_0).
///
/// Construction allocates; everything else is real-time safe.
class PeriodModel {
 public:
  PeriodModel(const Model& model, const Coordinates& coordinates);

  /// Conditions of the period.
  struct Period {
    double duration_s;
    const VectorXd& q;
    const VectorXd& v;
    const VectorXd& hardware;  ///< torque that the robot's own controller adds
    const ExternalForces& wrenches;
  };
  /// The model of the start of the period, which is accurate while speeds change little. `torque`
  /// is u_0. Returns false if accelerations are not unique.
  [[nodiscard]] bool begin(const Period& period, RobotDynamics& robot,
                           const VectorXd& torque) noexcept;
  /// Corrects the model at `torque`, for which it gives `acceleration`, if that differs much from
  /// the acceleration for which it is accurate. `speed`: nv speeds, a small share of each counts
  /// as little, infinite where any change does. Returns true if the model changed.
  [[nodiscard]] bool correct(const Period& period, const VectorXd& speed, const VectorXd& torque,
                             const VectorXd& acceleration) noexcept;
  /// True if correct() would examine the model at `acceleration`.
  [[nodiscard]] bool leaves(const Period& period, const VectorXd& speed,
                            const VectorXd& acceleration) const noexcept;

  [[nodiscard]] const VectorXd& free() const noexcept { return free_; }
  [[nodiscard]] MassInverse& inverse() noexcept { return inverse_; }

  /// The model gives this acceleration for this torque: it need not be computed again.
  void note(const Period& period, const VectorXd& torque, const VectorXd& acceleration) noexcept;
  /// Discards the period.
  void reset() noexcept { known_ = false; }
  /// The acceleration by `effort` at the start of the period. Returns false if it is not known:
  /// begin() failed, or was not called since reset().
  [[nodiscard]] bool start_acceleration(const VectorXd& effort, VectorXd& acceleration) noexcept;

 private:
  void set_effort(const Period& period, const VectorXd& torque) noexcept;
  void mean_friction(const Period& period, const VectorXd& acceleration) noexcept;
  void estimate_damping(const VectorXd& acceleration) noexcept;

  bool floating_base_;
  RobotDynamics* robot_ = nullptr;
  MassInverse inverse_;
  bool known_ = false, corrected_ = false;
  VectorXd effort_, start_;  // effort by u_0, and the acceleration by it at the start
  VectorXd free_, wanted_;   // wanted_: u_0
  VectorXd accurate_at_;     // acceleration
  VectorXd middle_q_, middle_v_, end_v_;
  VectorXd friction_, friction_change_;  // of the period: the mean; less that of the start
  VectorXd damping_, residual_, change_;
};

}  // namespace spatial_dynamics
