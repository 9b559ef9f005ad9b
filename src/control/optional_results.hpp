// Results beside the torque: its terms, the mass matrix, accelerations, external torques.
#pragma once

#include "envelope.hpp"
#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/control/control_output.hpp"
#include "spatial_dynamics/control/momentum_observer.hpp"
#include "torque_laws.hpp"

namespace spatial_dynamics {

/// Construction allocates; everything else is real-time safe.
class OptionalResults {
 public:
  explicit OptionalResults(const Model& model);

  /// Computes the terms of the torque and the mass matrix at out.q, out.v, if requested.
  /// `external`: the known wrenches.
  void compute_terms(const ControlSettings& settings, TorqueMode mode, const TorqueLaws& laws,
                     const ExternalForces& external, RobotDynamics& robot,
                     ControlOutput& out) noexcept;
  /// Forward dynamics of the effort that `effort_source` selects. Leaves send_acceleration false if
  /// that effort is unknown or the acceleration is not unique. `envelope` may know it already.
  void compute_acceleration(std::int64_t now, const ControlView& in, const VectorXd& own_effort,
                            bool floating_base, const ExternalForces& external, Envelope& envelope,
                            RobotDynamics& robot, ControlOutput& out) noexcept;
  /// Computes the estimate of the momentum observer, if requested or needed to detect contacts.
  /// Call it after compute_acceleration().
  void observe(const ControlView& in, const VectorXd& own_effort, bool floating_base, double dt_s,
               RobotDynamics& robot, ControlOutput& out) noexcept;
  /// Restarts the observer: after activation, or when a state or the time jumped.
  void reset_observer() noexcept { observer_.reset(); }

 private:
  [[nodiscard]] bool choose_effort(std::int64_t now, const ControlView& in,
                                   const VectorXd& own_effort, ControlOutput& out) noexcept;

  MomentumObserver observer_;
  bool observed_measured_ = false;  // the observer uses the measured effort
  VectorXd external_;               // torque of the known wrenches
  VectorXd effort_;                 // scratch
};

}  // namespace spatial_dynamics
