// Options of `simulate` about a motion to follow and the sensors that measure it.
#pragma once

#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "simulation/sensor_log.hpp"
#include "simulation/simulation_run.hpp"
#include "spatial_dynamics/identification/motion.hpp"

namespace spatial_dynamics::cli {

struct SensorOptions {
  std::string motion;  ///< a file; "-" is standard input
  /// Standard deviations: none, one for all, or one per coordinate.
  std::vector<double> position_noise, velocity_noise, effort_noise;
  SensorErrors errors;  ///< the other ones
};

/// Adds --motion, which excludes --position, --velocity and --controller, and the errors of
/// sensors.
void add_sensor_options(CLI::App& command, SensorOptions& options);
/// True if one of these options is given, apart from --seed.
bool gives_sensors(const CLI::App& command);

/// One number per coordinate; `without` if none is given. Throws std::invalid_argument.
std::vector<double> per_coordinate(const std::string& option, const std::vector<double>& given,
                                   std::size_t coordinates, double without);
/// The errors of each coordinate's sensors. Throws std::invalid_argument.
SensorErrors sensor_errors(const SensorOptions& options, std::size_t coordinates);

/// Makes computed torque follow the motion, whose rows are the robot's coordinates. Without a
/// duration (0) the simulation lasts as long as the motion.
void follow_motion(const JointMotion& motion, SimulationSetup& setup);

}  // namespace spatial_dynamics::cli
