// A complete simulation with a controller, without middleware and faster than real time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simulation/joint_controller.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "support/history.hpp"

namespace spatial_dynamics {

struct SimulationSetup {
  double seconds = 5.0;
  double dt = 1e-3;  ///< s, one step of integration and of the controller
  Integrator integrator = Integrator::kRk4;
  ControllerKind controller = ControllerKind::kNone;
  bool joint_stops = true;
  ReferenceMotion reference;  ///< of computed torque; null: a SmoothReference
  /// The model that the controller computes with, with the robot's coordinates; null: the robot's.
  std::shared_ptr<const Model> controller_model;
};

/// Energies in J.
struct SimulationSummary {
  double time_s = 0.0;
  std::size_t steps = 0;
  bool broke_off = false;  ///< the next state would not have been finite or unique

  double energy_at_start = 0.0, energy_at_end = 0.0;
  double work = 0.0;           ///< of the motors
  double largest_drift = 0.0;  ///< of |energy - energy at the start - work|
  /// Of the rise of (energy - work) above its start, and above its minimum since a joint was last
  /// at a stop: friction only lowers it.
  double largest_gain = 0.0;
  double largest_kinetic = 0.0;  ///< for comparison with the drift
  /// The same without the motion of a floating robot's centre of mass.
  double largest_inner = 0.0;
  bool loses_energy = false;  ///< friction acts, or a joint was at a stop
  /// The energy grew by more than the integrator's error at a suitable step.
  bool steps_too_long = false;
  /// The energy that the integrator added is a large part of the whole motion's.
  bool diverged = false;
  double energy_error = 0.0;  ///< caused by the integrator: the gain with losses, else the drift
  double largest_effort_share = 0.0;  ///< of a limit; 0 without motors or limits

  /// dt times the velocity gain of computed torque; 0 with other controllers. The sampled feedback
  /// is unstable from 2 on.
  double damping_per_step = 0.0;
  bool reference_moves = false;  ///< computed torque: the reference leaves its start
  /// An effort was at its limit, and the largest tracking error exceeds the reference's amplitude.
  bool lost_reference = false;

  /// Of the coordinate with the largest error, rad or m, from the reference or the start.
  double tracking_rms = 0.0;
  double tracking_max = 0.0;
  std::string rms_joint, max_joint;
  std::string rms_unit, max_unit;  ///< "rad" or "m"
};

/// Names of the numbers of q (or v) in their order: the joint's name, or JOINT/x and so on for a
/// joint with several coordinates. Allocates.
std::vector<std::string> coordinate_names(const Model& model, bool velocities);

/// Integrates a robot's motion under a controller and records every step.
class SimulationRun {
 public:
  /// Starts at q (nq numbers) with velocity v (nv numbers). Allocates; throws ModelError or
  /// std::invalid_argument.
  SimulationRun(Model model, const SimulationSetup& setup, const VectorXd& q, const VectorXd& v);

  /// Runs to the end. Calls `progress` with the completed share.
  SimulationSummary run(const std::function<void(double share)>& progress);

  [[nodiscard]] const Model& model() const noexcept { return simulator_.model(); }
  /// Columns q:, v:, a:, effort: of each coordinate, reference: with computed torque,
  /// kinetic_energy and potential_energy.
  [[nodiscard]] const History& history() const noexcept { return history_; }

 private:
  void record(double time_s, const VectorXd& effort);
  void update_tracking_errors();
  void update_effort_share();
  void judge_controller();
  [[nodiscard]] bool is_at_stop() const noexcept;

  SimulationSetup setup_;
  Simulator simulator_;
  JointController controller_;
  Data data_;
  History history_;
  std::vector<double> row_;
  double lowest_potential_ = 0.0, highest_potential_ = 0.0;  // J
  double lowest_change_ = 0.0;  // of energy - work since the last stop, J
  VectorXd effort_;             // of the motors during the next step, within their limits
  VectorXd q_before_, moved_;
  std::vector<std::string> error_names_, error_units_;  // per number of v
  VectorXd squares_, largest_;                          // tracking errors, per number of v
  VectorXd q_start_, amplitude_;  // the reference's start, and its distance, per number of v
  SimulationSummary summary_;
};

}  // namespace spatial_dynamics
