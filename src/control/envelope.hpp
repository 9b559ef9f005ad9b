// The last change of a torque: joints stop at their limits, and keep their speed and power.
#pragma once

#include <cstdint>
#include <vector>

#include "braking_solver.hpp"
#include "envelope_bounds.hpp"
#include "robot_dynamics.hpp"
#include "spatial_dynamics/control/control_output.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// Limits positions, velocities and power. Construction allocates; everything else is real-time
/// safe.
///
/// From the torque that would be sent, the model gives the accelerations of the next period. If
/// they satisfy the bounds of envelope_bounds.hpp, the torque is not changed. Otherwise
/// BrakingSolver finds the nearest torque whose accelerations do.
class Envelope {
 public:
  Envelope(const Model& model, const Coordinates& coordinates);

  /// Conditions of a cycle.
  struct Cycle {
    double period_s;
    const VectorXd& q;
    const VectorXd& v;
    const VectorXd& hardware;  ///< torque that the robot's own controller adds
    const ExternalForces& wrenches;
    const VectorXd& effort_limit;
    const VectorXd& lowest;  ///< of the torque: within effort and rate limits
    const VectorXd& highest;
  };
  /// Changes `torque`, and returns kStopReached, kSpeedCap and kPowerCap for what was limited. The
  /// torque is not changed if the model has no unique acceleration.
  [[nodiscard]] Faults limit(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                             VectorXd& torque) noexcept;
  /// True if a limit that the last torque kept is higher now: the torque may step.
  [[nodiscard]] bool loosens(const EnvelopeLimits& limits) const noexcept;
  /// nv flags: the torques that the last limit() changed.
  [[nodiscard]] const std::vector<std::uint8_t>& changed() const noexcept { return changed_; }
  /// The last torque was not limited.
  void reset() noexcept;
  /// As if the last limit() of `other`, an envelope of the same size, had been of this one.
  void continue_from(const Envelope& other) noexcept;
  /// The effort and the acceleration of the torque that the last limit() returned, if it computed
  /// that acceleration for the start of the period; otherwise null.
  [[nodiscard]] const VectorXd* known_effort() const noexcept {
    return knows_ ? &known_effort_ : nullptr;
  }
  [[nodiscard]] const VectorXd& known_acceleration() const noexcept { return acceleration_; }
  /// The scalar coordinates that the last limit() limited most.
  [[nodiscard]] const LimitedCoordinates& limited() const noexcept { return limited_; }

 private:
  enum class Reason : std::uint8_t { kNone, kSpeed, kStop };
  struct Coordinate {
    Index scalar, q, v;
  };

  void limit_motion(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                    VectorXd& torque) noexcept;
  void bound_motion(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                    VectorXd& torque) noexcept;
  void limit_power(const EnvelopeLimits& limits, const VectorXd& v, VectorXd& torque) noexcept;
  [[nodiscard]] bool accelerate(const Cycle& cycle, RobotDynamics& robot,
                                const VectorXd& torque) noexcept;
  void bound_speeds(const EnvelopeLimits& limits, const Cycle& cycle) noexcept;
  [[nodiscard]] bool find_near_stops(const EnvelopeLimits& limits, const Cycle& cycle) noexcept;
  [[nodiscard]] bool surely_stop(const EnvelopeLimits& limits, const Cycle& cycle,
                                 const VectorXd& torque) noexcept;
  void bound_positions(const EnvelopeLimits& limits, const Cycle& cycle,
                       const VectorXd& torque) noexcept;
  void bound_stop(const Coordinate& c, double sign, double soft, double hard, const Cycle& cycle,
                  const VectorXd& torque) noexcept;
  void add_bound(Index i, double sign, const AccelerationBound& bound, Reason reason) noexcept;
  [[nodiscard]] bool satisfied() const noexcept;
  void brake(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
             VectorXd& torque) noexcept;
  [[nodiscard]] bool changes(const EnvelopeLimits& limits, double period_s,
                             const VectorXd& acceleration, double share) const noexcept;
  [[nodiscard]] bool correct(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                             const VectorXd& torque) noexcept;
  void note_limited() noexcept;
  void note_changes(const EnvelopeLimits& limits, const VectorXd& torque) noexcept;

  std::vector<Coordinate> coordinates_;
  std::vector<std::uint8_t> near_;                     // of coordinates_: kLower and kUpper
  std::vector<Reason> because_lower_, because_upper_;  // nv: why there is a bound
  bool floating_base_;
  BrakingProblem problem_;
  BrakingSolver solver_;
  MassInverse inverse_;
  VectorXd wanted_;          // torque on entry
  VectorXd limited_wanted_;  // the same with limited power
  VectorXd limited_torque_, effort_;
  VectorXd free_;          // acceleration of the period by limited_wanted_
  VectorXd acceleration_;  // the same by limited_torque_
  VectorXd middle_q_, middle_v_, end_v_, friction_, mean_friction_, residual_;  // see correct()
  VectorXd damping_;
  bool corrected_ = false;
  VectorXd known_effort_;
  bool knows_ = false;  // acceleration_ is that of known_effort_, at the start of the period
  std::vector<std::uint8_t> changed_;            // nv
  VectorXd soft_lower_, soft_upper_, velocity_;  // limits of the last torque that was changed
  double power_ = kUnlimited;
  Faults faults_ = 0;
  LimitedCoordinates limited_;
};

}  // namespace spatial_dynamics
