// What one step of the engine answers.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/spatial/force.hpp"

namespace spatial_dynamics {

/// Where the engine stands.
enum class Phase : std::uint8_t {
  kInactive,     ///< nothing is computed or sent
  kWaiting,      ///< active, but not every joint's state is known yet; nothing is sent
  kRunning,      ///< torques follow the mode
  kFallback,     ///< states are stale or a fault is latched: the chosen fallback is at work
  kStopped,      ///< fallback `stop` has sent its zero; nothing more until the next activation
  kWindingDown,  ///< deactivated: torque is ramped to zero
};
const char* to_string(Phase phase) noexcept;

/// Reasons, one bit each. Several may hold at once.
enum class Fault : std::uint32_t {
  kStaleState = 1u << 0,
  kStaleReference = 1u << 1,
  kSaturated = 1u << 2,     ///< a torque was cut to its effort limit
  kRateLimited = 1u << 3,   ///< a torque's change was cut to its rate limit
  kNonFinite = 1u << 4,     ///< latched: a result was not a finite number
  kSingular = 1u << 5,      ///< forward dynamics has no unique answer; no acceleration is sent
  kStaleCommand = 1u << 6,  ///< effort_command timed out; accelerations are not sent
  kStaleWrench = 1u << 7,   ///< a wrench that was not zero timed out and is no longer compensated
};
using Faults = std::uint32_t;
inline bool has(Faults faults, Fault fault) noexcept {
  return (faults & static_cast<std::uint32_t>(fault)) != 0;
}
/// What a fault means, in words for diagnostics.
const char* to_string(Fault fault) noexcept;

/// Where a torque comes from; each nv numbers. Their sum, less what the hardware adds by itself, is the computed torque.
struct TorqueTerms {
  Eigen::VectorXd gravity, coriolis, inertial, friction, external;
};

/// Results of one step. Vectors have nv numbers; a floating base's rows come first. Sized once, by Engine::make_outputs().
struct EngineOutputs {
  std::uint64_t cycle = 0;
  std::int64_t time = 0;   ///< steady clock of the step, ns
  std::int64_t stamp = 0;  ///< stamp of the state it was computed from (ROS time)
  std::uint64_t state_sequence = 0;
  std::int64_t state_received = 0;  ///< steady clock, ns
  Phase phase = Phase::kInactive;
  Faults faults = 0;
  bool send_torque = false;
  bool send_acceleration = false;
  bool send_terms = false;            ///< terms and mass_matrix are of this cycle, if asked for
  bool send_external_torque = false;  ///< external_torque is of this cycle
  bool effort_was_measured = false;   ///< where `forward.effort_source: auto` ended up
  Eigen::Index stalest = -1;   ///< scalar coordinate with the oldest state; -1: the base or none
  std::int64_t state_age = 0;  ///< of the oldest coordinate, ns
  double ramp = 1.0;     ///< progress of the present change of torque, 0 to 1; 1: none is under way
  Eigen::VectorXd q, v;  ///< the state
  Eigen::VectorXd
      position_error;  ///< reference less state, per scalar coordinate; 0 without a reference
  Eigen::VectorXd torque;
  Eigen::VectorXd acceleration;
  TorqueTerms terms;
  Eigen::VectorXd external_torque;  ///< momentum observer
  Eigen::MatrixXd mass_matrix;
};

}  // namespace spatial_dynamics
