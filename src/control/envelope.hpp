// The last change of a torque: joints stop at their limits, and keep their speed and power.
#pragma once

#include <cstdint>
#include <vector>

#include "braking_solver.hpp"
#include "envelope_bounds.hpp"
#include "period_model.hpp"
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
  /// The acceleration by `effort` at the states of the last limit(). Returns false if that did not
  /// compute any.
  [[nodiscard]] bool acceleration_by(const VectorXd& effort, VectorXd& acceleration) noexcept {
    return period_.start_acceleration(effort, acceleration);
  }
  /// The scalar coordinates that the last limit() limited most.
  [[nodiscard]] const LimitedCoordinates& limited() const noexcept { return limited_; }

 private:
  enum class Reason : std::uint8_t { kNone, kSpeed, kStop };
  struct Coordinate {
    Index scalar, q, v;
  };

  void limit_motion(const EnvelopeLimits& limits, const Cycle& cycle, RobotDynamics& robot,
                    VectorXd& torque) noexcept;
  void limit_power(const EnvelopeLimits& limits, const VectorXd& v, VectorXd& torque) noexcept;
  [[nodiscard]] bool surely_inside(const EnvelopeLimits& limits, const Cycle& cycle,
                                   const VectorXd& torque, double reserve) noexcept;
  [[nodiscard]] bool surely_stops(const Coordinate& c, double sign, double distance, double next,
                                  const Cycle& cycle, const VectorXd& torque) noexcept;
  [[nodiscard]] double planned(const Coordinate& c, double sign, double per_torque,
                               const Cycle& cycle, const VectorXd& torque) const noexcept;
  void bound_speeds(const EnvelopeLimits& limits, const Cycle& cycle) noexcept;
  void bound_positions(const EnvelopeLimits& limits, const Cycle& cycle,
                       const VectorXd& torque) noexcept;
  void bound_stop(const Coordinate& c, double sign, double soft, double hard, const Cycle& cycle,
                  const VectorXd& torque) noexcept;
  void add_bound(Index i, double sign, const AccelerationBound& bound, Reason reason) noexcept;
  [[nodiscard]] bool satisfied() const noexcept;
  void prepare(const Cycle& cycle, const VectorXd& torque) noexcept;
  void note_limited() noexcept;
  void note_changes(const EnvelopeLimits& limits, const VectorXd& torque) noexcept;

  std::vector<Coordinate> coordinates_;
  std::vector<std::uint8_t> near_;                     // of coordinates_: kLower and kUpper
  std::vector<Reason> because_lower_, because_upper_;  // nv: why there is a bound
  bool floating_base_;
  BrakingProblem problem_;
  BrakingSolver solver_;
  PeriodModel period_;
  VectorXd speed_;           // velocity caps, at most kFastest; infinite for a base
  VectorXd wanted_;          // torque on entry
  VectorXd limited_wanted_;  // the same with limited power
  VectorXd limited_torque_, acceleration_;
  std::vector<std::uint8_t> changed_;            // nv
  VectorXd soft_lower_, soft_upper_, velocity_;  // limits of the last torque that was changed
  double power_ = kUnlimited;
  Faults faults_ = 0;
  LimitedCoordinates limited_;
};

}  // namespace spatial_dynamics
