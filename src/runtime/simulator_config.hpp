// The simulated robot's parameters as typed values.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/config.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"

namespace spatial_dynamics {

/// Every parameter of simulator_parameter_table(). A default SimulatorConfig is the table's
/// defaults.
struct SimulatorConfig : RobotConfig {
  std::vector<double> initial_position;  ///< rad or m: none, one for all, or one per coordinate
  bool joint_stops = true;

  double rate_hz = 1000.0;
  Integrator integrator = Integrator::kSemiImplicit;
  int substeps = 4;
  double real_time_factor = 1.0;
  bool publish_clock = false;
  double effort_timeout_s = 0.1;
  double wrench_timeout_s = 0.5;

  double position_noise = 0.0;  ///< standard deviations, rad or m
  double velocity_noise = 0.0;  ///< rad/s or m/s
  double effort_noise = 0.0;    ///< N m or N
  double delay_s = 0.0;
  std::uint32_t seed = 1;
};

/// Reads a set of simulator_parameter_table(). Allocates; throws ParameterError.
SimulatorConfig make_simulator_config(const ParameterSet& parameters);

/// Every parameter of simulated_system_parameter_table(). A default SimulatedSystemConfig is the
/// table's defaults.
struct SimulatedSystemConfig : SimulatorConfig {
  bool brake_unclaimed = true;
  std::vector<std::string> nan_states;  ///< joints
};

/// Reads a set of simulated_system_parameter_table(), for a hardware at this rate. Allocates;
/// throws ParameterError.
SimulatedSystemConfig make_simulated_system_config(const ParameterSet& parameters, double rate_hz);

/// A position of a joint that is not given.
inline constexpr double kNoPosition = std::numeric_limits<double>::infinity();

/// The configuration (nq numbers) in which the simulation starts: the floating base at the origin,
/// coordinates at `positions`, or where those are kNoPosition at 0 moved into the joint's soft
/// limits (see resolve_envelope). Allocates.
VectorXd initial_configuration(const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                               const std::vector<double>& positions);

/// The first position that is beyond the limits of its joint, as in "9 for 'elbow', whose limits
/// are -2 and 2"; empty if there is none. Allocates.
std::string beyond_limits(const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                          const std::vector<double>& positions);

/// initial_configuration() of `initial_position`; arrays follow `order` as in
/// resolve_joint_settings(). Allocates; throws ParameterError naming the parameter, its length and
/// the joints, or the joint that would start beyond its limits; ModelError as scalar_coordinates().
VectorXd resolve_initial_position(const SimulatorConfig& config, const Model& model,
                                  const std::vector<std::string>& order = {});

}  // namespace spatial_dynamics
