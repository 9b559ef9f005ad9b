// The torque of each mode.
#pragma once

#include <cmath>

#include "ramp.hpp"
#include "reference_tracker.hpp"
#include "robot_dynamics.hpp"

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

/// One law per mode, from a state and a reference. Construction allocates; everything else is
/// real-time safe.
///
///     gravity_compensation:  tau = g(q)
///     inverse_dynamics:      tau = M a_ref + C v + g + friction
///     computed_torque:       the same with a = a_ref + Kd (v_ref - v) + Kp (q_ref - q)
///
/// All laws compensate known wrenches, add the feed-forward effort of the reference, and leave out
/// the terms that the robot's own controller adds.
class TorqueLaws {
 public:
  explicit TorqueLaws(Index nv, Index scalars);

  /// Ramps gains and shares of the terms to those of the settings over ramp_s.
  void update_settings(const ControlSettings& settings, const JointSettings& joints,
                       const RampStep& step) noexcept;
  /// Sets all gains to zero; they then ramp to those of the settings. For activation, when the
  /// reference may be far away.
  void clear_gains() noexcept;

  /// Computes the torque of the mode. Returns false if it is not finite; torque() then keeps the
  /// last finite torque.
  [[nodiscard]] bool compute(TorqueMode mode, const Coordinates& coordinates,
                             const ReferenceTracker& tracker, const VectorXd& q, const VectorXd& v,
                             const ExternalForces& external, RobotDynamics& robot) noexcept;

  /// The last finite torque; nv numbers.
  [[nodiscard]] const VectorXd& torque() const noexcept { return torque_; }
  void set_torque(const VectorXd& torque) noexcept { torque_ = torque; }

  // Results of the last call of compute().
  /// Reference minus state, per scalar coordinate; 0 without a reference.
  [[nodiscard]] const VectorXd& position_error() const noexcept { return position_error_; }
  [[nodiscard]] const VectorXd& acceleration() const noexcept { return acceleration_; }
  [[nodiscard]] const VectorXd& friction() const noexcept { return friction_; }
  /// The torque that the robot's own controller adds.
  [[nodiscard]] const VectorXd& hardware() const noexcept { return hardware_; }
  /// The share of the gravity torque that this controller sends, 0 to 1. The hardware adds the
  /// rest.
  [[nodiscard]] double gravity_share() const noexcept { return shares_.now()(0); }

 private:
  void read_reference(const Coordinates& coordinates, const ReferenceTracker& tracker,
                      const VectorXd& q, const VectorXd& v) noexcept;
  void add_feedback(const Coordinates& coordinates, const ReferenceTracker& tracker,
                    const VectorXd& v) noexcept;
  void add_friction(const VectorXd& v, RobotDynamics& robot) noexcept;
  void leave_to_hardware(TorqueMode mode, bool floating_base, const VectorXd& q, const VectorXd& v,
                         RobotDynamics& robot) noexcept;

  Ramp kp_, kd_;
  /// Shares of gravity, coriolis and friction: 1 if this controller adds the term. Then friction: 1
  /// if the hardware adds it.
  Ramp shares_;
  VectorXd torque_;
  VectorXd desired_;            // scratch: this cycle's torque
  VectorXd acceleration_;       // desired by the mode
  VectorXd feed_forward_;       // effort of the reference
  VectorXd viscous_velocity_;   // at which viscous friction is compensated
  VectorXd coulomb_velocity_;   // at which Coulomb friction is compensated
  VectorXd follows_reference_;  // ReferenceSample::follows_reference
  VectorXd position_error_;
  VectorXd friction_;
  VectorXd hardware_;
};

}  // namespace spatial_dynamics
