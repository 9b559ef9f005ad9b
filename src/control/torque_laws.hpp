// The torque of each mode.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "joint_locks.hpp"
#include "joint_springs.hpp"
#include "ramp.hpp"
#include "reference_tracker.hpp"
#include "robot_dynamics.hpp"
#include "spatial_dynamics/control/control_input.hpp"

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
///     joint_impedance:       tau = M a_ref + C v_ref + g + K (q_ref - q) + D (v_ref - v)
///                                  + friction at v_ref
///     hand_guiding:          tau = g - d M v + a share of friction; for locked joints
///                                  + K (q_lock - q) - D v
///
/// joint_impedance has the C for which dM/dt - 2 C is skew-symmetric. With an exact model and a
/// reference at rest, kinetic energy plus that of the springs grows by at most the external power.
///
/// All laws compensate known wrenches, add the feed-forward effort of the reference, and leave out
/// the terms that the robot's own controller adds.
class TorqueLaws {
 public:
  explicit TorqueLaws(Index nv, Index scalars);

  /// Ramps gains and shares of the terms to those of the settings over ramp_s. `command` may
  /// replace the stiffness of the settings.
  void update_settings(const ControlSettings& settings, const JointSettings& joints,
                       const RampStep& step, const StiffnessCommand* command = nullptr) noexcept;
  /// Sets all gains to zero; they then ramp to those of the settings. For activation, when the
  /// reference may be far away.
  void clear_gains() noexcept;
  /// hand_guiding locks its joints where they are in the next cycle. For everything after which the
  /// robot may have moved; the caller must crossfade.
  void lock_anew() noexcept { locks_.release(); }
  /// Continues with the torque and the position errors of the laws of another model.
  void continue_from(const TorqueLaws& other) noexcept;

  /// Computes the torque of the mode. Returns false if it is not finite; torque() then keeps the
  /// last finite torque.
  [[nodiscard]] bool compute(TorqueMode mode, const Coordinates& coordinates,
                             const ReferenceTracker& tracker, const VectorXd& q, const VectorXd& v,
                             const ExternalForces& external, RobotDynamics& robot) noexcept;

  /// The last finite torque; nv numbers.
  [[nodiscard]] const VectorXd& torque() const noexcept { return torque_; }
  void set_torque(const VectorXd& torque) noexcept { torque_ = torque; }

  // Results of the last call of compute().
  /// Reference minus state, per scalar coordinate; 0 without a reference. A continuous joint takes
  /// the shorter direction, in joint_impedance only when a new reference arrives: until the next
  /// one, the error of a joint that is pushed farther than half a turn keeps growing.
  [[nodiscard]] const VectorXd& position_error() const noexcept { return position_error_; }
  /// True if a new reference changed an error of joint_impedance by whole turns: the torque steps.
  [[nodiscard]] bool turned() const noexcept { return turned_; }
  [[nodiscard]] const VectorXd& acceleration() const noexcept { return acceleration_; }
  /// The torque of springs and dampers in the joints; zero in modes without them.
  [[nodiscard]] const VectorXd& spring_torque() const noexcept { return spring_torque_; }
  /// C(q, v) v_ref of joint_impedance; zero in other modes.
  [[nodiscard]] const VectorXd& reference_coriolis() const noexcept { return coriolis_; }
  [[nodiscard]] const VectorXd& friction() const noexcept { return friction_; }
  /// The torque that the robot's own controller adds.
  [[nodiscard]] const VectorXd& hardware() const noexcept { return hardware_; }
  /// The share of the gravity torque that this controller sends, 0 to 1. The hardware adds the
  /// rest.
  [[nodiscard]] double gravity_share() const noexcept { return shares_.now()(0); }

 private:
  void read_reference(TorqueMode mode, const Coordinates& coordinates,
                      const ReferenceTracker& tracker, const VectorXd& q,
                      const VectorXd& v) noexcept;
  [[nodiscard]] double unwrapped_error(std::size_t k, const ScalarCoordinate& coordinate,
                                       const ReferenceTracker& tracker, const VectorXd& q) noexcept;
  void compute_impedance(const Coordinates& coordinates, const VectorXd& q, const VectorXd& v,
                         const ExternalForces& external, RobotDynamics& robot) noexcept;
  void compute_guiding(const Coordinates& coordinates, const VectorXd& q, const VectorXd& v,
                       const ExternalForces& external, RobotDynamics& robot) noexcept;
  void add_feedback(const Coordinates& coordinates, const ReferenceTracker& tracker,
                    const VectorXd& v) noexcept;
  void add_friction(const VectorXd& v, RobotDynamics& robot) noexcept;
  void leave_to_hardware(TorqueMode mode, bool floating_base, const VectorXd& q, const VectorXd& v,
                         RobotDynamics& robot) noexcept;

  Ramp kp_, kd_;
  JointSprings springs_;
  VectorXd stiffness_;  // to which that of the springs ramps
  JointLocks locks_;    // of hand_guiding
  Ramp guiding_;        // its damping, 1/s, and its share of friction
  /// Shares of gravity, coriolis and friction: 1 if this controller adds the term. Then friction: 1
  /// if the hardware adds it.
  Ramp shares_;
  VectorXd torque_;
  VectorXd desired_;       // scratch: this cycle's torque
  VectorXd acceleration_;  // desired by the mode
  VectorXd feed_forward_;  // effort of the reference
  VectorXd reference_velocity_;
  VectorXd spring_torque_;
  VectorXd coriolis_;           // C(q, v) v_ref
  VectorXd viscous_velocity_;   // at which viscous friction is compensated
  VectorXd coulomb_velocity_;   // at which Coulomb friction is compensated
  VectorXd follows_reference_;  // ReferenceSample::follows_reference
  VectorXd position_error_;
  std::vector<std::uint64_t> adoption_;  // ReferenceTracker::adoption() of position_error_
  bool turned_ = false;
  VectorXd friction_;
  VectorXd hardware_;
};

}  // namespace spatial_dynamics
