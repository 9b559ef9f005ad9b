// A robot in motion, without middleware and as fast as it can be computed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "history.hpp"
#include "joint_controller.hpp"
#include "plot.hpp"
#include "spatial_dynamics/runtime/simulator.hpp"

namespace spatial_dynamics::cli {

struct SimulationSetup {
  double seconds = 5.0;
  double dt = 1e-3;  ///< s, one step of integration and of the controller
  Integrator integrator = Integrator::kRk4;
  Controller controller = Controller::kNone;
  bool joint_stops = true;
  /// rad or m, rad/s or m/s: none, one for all, or one per coordinate. Without positions: 0, moved into the limits.
  std::vector<double> position, velocity;
};

/// Energies in J.
struct SimulationSummary {
  double time_s = 0.0;
  std::size_t steps = 0;
  bool broke_off = false;  ///< the next state would not have been finite or unique

  double energy_at_start = 0.0, energy_at_end = 0.0;
  double work = 0.0;             ///< of the motors
  double largest_drift = 0.0;    ///< of |energy - energy at the start - work|
  double largest_kinetic = 0.0;  ///< what a drift is compared with
  double largest_inner = 0.0;    ///< the same without a floating robot's fall as a whole
  bool loses_energy = false;     ///< friction acts, or a joint was at a stop
  bool steps_too_long = false;   ///< energy came from nowhere, more than the integrator's error
  double largest_effort_share = 0.0;  ///< of a limit; 0 without motors or limits

  double tracking_rms =
      0.0;  ///< of the worst coordinate, rad or m, from the reference or the start
  double tracking_max = 0.0;
  std::string rms_joint, max_joint;
  std::string rms_unit, max_unit;  ///< "rad" or "m"
};

/// Integrates and keeps every step.
class SimulationRun {
 public:
  /// Allocates; throws ModelError, ParameterError or std::invalid_argument with a sentence.
  SimulationRun(Model model, const SimulationSetup& setup);

  /// Runs to the end; `progress` hears the share that is done.
  SimulationSummary run(const std::function<void(double share)>& progress);

  [[nodiscard]] const History& history() const noexcept { return history_; }
  /// "rad", "m" or "rad or m": what the joints that are no base are measured in.
  [[nodiscard]] const char* position_unit() const noexcept;
  /// Positions (with the reference), efforts and energies.
  [[nodiscard]] std::vector<Panel> panels() const;

 private:
  void record(double time_s, const VectorXd& effort);
  void note_errors();
  [[nodiscard]] bool at_a_stop() const noexcept;
  void note_efforts();

  SimulationSetup setup_;
  Simulator simulator_;
  JointController controller_;
  Data data_;
  History history_;
  std::vector<double> row_;
  VectorXd effort_;  // what the motors do in the step that begins, within their limits
  VectorXd q_before_, moved_;
  std::vector<std::string> error_names_, error_units_;  // per number of v
  VectorXd squares_, largest_;                          // tracking errors, per number of v
  SimulationSummary summary_;
};

}  // namespace spatial_dynamics::cli
