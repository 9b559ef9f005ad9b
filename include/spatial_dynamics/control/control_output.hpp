// The output of one step of the torque controller.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/spatial/force.hpp"

namespace spatial_dynamics {

/// What the controller is doing.
enum class Phase : std::uint8_t {
  kInactive,     ///< nothing is computed or sent
  kWaiting,      ///< active, but the state of a joint is not known yet; nothing is sent
  kRunning,      ///< torques follow the mode
  kFallback,     ///< states or a reference are stale, or a fault is latched
  kStopped,      ///< fallback `stop` has sent zero; nothing is sent until the next activation
  kRampingDown,  ///< deactivated: the torque ramps to zero
};
const char* to_string(Phase phase) noexcept;

/// Faults, one bit each. Several may be set at once.
enum class Fault : std::uint32_t {
  kStaleState = 1u << 0,
  kStaleReference = 1u << 1,
  kSaturated = 1u << 2,     ///< a torque was cut to its effort limit
  kRateLimited = 1u << 3,   ///< a torque's change was cut to its rate limit
  kNonFinite = 1u << 4,     ///< latched: a result was not a finite number
  kSingular = 1u << 5,      ///< forward dynamics has no unique answer; no acceleration is sent
  kStaleCommand = 1u << 6,  ///< effort_command timed out; accelerations are not sent
  kStaleWrench = 1u << 7,   ///< a wrench that was not zero timed out and is no longer compensated
  kNotSent = 1u << 8,       ///< torques are computed but do not leave the process
  /// effort_source is measured, but states have no effort: neither accelerations nor external
  /// torques are sent.
  kNoEffort = 1u << 9,
  /// A position error exceeded following_error_limit: references were discarded and the position is
  /// held until the next reference.
  kFollowingError = 1u << 10,
  /// A member of the input or output does not have the size that the model needs, or a link is not
  /// in the model. The state counts as missing.
  kWrongSize = 1u << 11,
  // The envelope changed the torque (see ControlStatus::limited):
  kStopReached = 1u << 16,  ///< to stop a joint at its soft position limit
  kSpeedCap = 1u << 17,     ///< to keep a joint within its velocity cap
  kPowerCap = 1u << 18,     ///< to keep the motors' power within envelope.power_limit
  kContact = 1u << 19,  ///< latched: the external torque of a joint exceeded its contact threshold
};
using Faults = std::uint32_t;
inline bool has(Faults faults, Fault fault) noexcept {
  return (faults & static_cast<std::uint32_t>(fault)) != 0;
}
/// Text for diagnostics.
const char* to_string(Fault fault) noexcept;

/// The terms of a torque, nv numbers each. Feedback is part of the inertial term. Their sum minus
/// the torque that the hardware adds is the computed torque.
struct TorqueTerms {
  Eigen::VectorXd gravity, coriolis, inertial, friction, external;
};

/// The scalar coordinate that the envelope limits most, by reason; -1: none.
struct LimitedCoordinates {
  Eigen::Index stop = -1;   ///< kStopReached
  Eigen::Index speed = -1;  ///< kSpeedCap
  Eigen::Index power = -1;  ///< kPowerCap: the motor with the most power
};

/// Phase, faults and flags of one step.
struct ControlStatus {
  std::uint64_t cycle = 0;
  std::int64_t time = 0;   ///< steady clock of the step, ns
  std::int64_t stamp = 0;  ///< stamp of the state that the step used (ROS time)
  std::uint64_t state_sequence = 0;
  std::int64_t state_received = 0;  ///< steady clock, ns
  Phase phase = Phase::kInactive;
  Faults faults = 0;
  bool send_torque = false;
  bool send_drive = false;  ///< `drive` is of this cycle
  bool send_acceleration = false;
  bool send_terms = false;            ///< terms and mass_matrix are of this cycle, if requested
  bool send_external_torque = false;  ///< external_torque is of this cycle
  bool effort_was_measured = false;   ///< accelerations are computed from the measured effort
  Eigen::Index stalest = -1;   ///< scalar coordinate with the oldest state; -1: the base or none
  std::int64_t state_age = 0;  ///< age of the oldest state, ns
  Eigen::Index contact = -1;   ///< scalar coordinate that felt a contact; -1: none
  double ramp = 1.0;           ///< progress of the present crossfade, 0 to 1; 1: no crossfade
  LimitedCoordinates limited;
};

/// Results of one step. Vectors have nv numbers, those of a floating base first.
/// TorqueController::make_output() sizes them. The torque may be sent to the robot only if
/// `send_torque` is true.
struct ControlOutput : ControlStatus {
  Eigen::VectorXd q, v;  ///< the state
  /// Reference minus state, per scalar coordinate; 0 without a reference.
  Eigen::VectorXd position_error;
  Eigen::VectorXd torque;
  Eigen::VectorXd drive;  ///< torque for ~/torque_array, which drives the robot
  Eigen::VectorXd acceleration;
  TorqueTerms terms;
  Eigen::VectorXd external_torque;  ///< momentum observer
  Eigen::MatrixXd mass_matrix;      ///< nv x nv; not computed if empty
};

}  // namespace spatial_dynamics
