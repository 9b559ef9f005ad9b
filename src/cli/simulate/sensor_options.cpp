#include "cli/simulate/sensor_options.hpp"

#include <stdexcept>

namespace spatial_dynamics::cli {
namespace {

/// A number or numbers for each coordinate.
void add_deviations(CLI::App& command, const char* name, std::vector<double>& values,
                    const char* help) {
  command.add_option(name, values, help)
      ->type_name("S,...")
      ->delimiter(',')
      ->allow_extra_args(false);
}

}  // namespace

void add_sensor_options(CLI::App& command, SensorOptions& options) {
  command.add_option("--motion", options.motion, "Follow this motion; - reads standard input")
      ->type_name("MOTION.csv")
      ->excludes("--position")
      ->excludes("--velocity")
      ->excludes("--controller");
  add_deviations(command, "--position-noise", options.position_noise,
                 "Standard deviation of measured positions, rad or m: one for all joints or one "
                 "for each");
  add_deviations(command, "--velocity-noise", options.velocity_noise, "The same of velocities");
  add_deviations(command, "--effort-noise", options.effort_noise, "The same of efforts, N m or N");
  command
      .add_option("--position-quantum", options.errors.position_quantum,
                  "Resolution of measured positions, rad or m")
      ->type_name("S")
      ->check(positive());
  command.add_flag_callback(
      "--no-velocities", [&options] { options.errors.velocities = false; },
      "Leave measured velocities out");
  command.add_option("--seed", options.errors.seed, "Seed of the noise (1)")->type_name("N");
}

bool gives_sensors(const CLI::App& command) {
  for (const char* const name : {"--motion", "--position-noise", "--velocity-noise",
                                 "--effort-noise", "--position-quantum", "--no-velocities"}) {
    if (command.get_option(name)->count() > 0) return true;
  }
  return false;
}

std::vector<double> per_coordinate(const std::string& option, const std::vector<double>& given,
                                   std::size_t coordinates, double without) {
  if (given.size() <= 1) {
    return std::vector<double>(coordinates, given.empty() ? without : given.front());
  }
  if (given.size() == coordinates) return given;
  throw std::invalid_argument(option + " has " + std::to_string(given.size()) +
                              " numbers; give one for all or one for each of the " +
                              std::to_string(coordinates) + " coordinates.");
}

SensorErrors sensor_errors(const SensorOptions& options, std::size_t coordinates) {
  SensorErrors errors = options.errors;
  errors.position = per_coordinate("--position-noise", options.position_noise, coordinates, 0.0);
  errors.velocity = per_coordinate("--velocity-noise", options.velocity_noise, coordinates, 0.0);
  errors.effort = per_coordinate("--effort-noise", options.effort_noise, coordinates, 0.0);
  for (const auto* deviations : {&errors.position, &errors.velocity, &errors.effort}) {
    for (const double deviation : *deviations) {
      if (deviation >= 0.0) continue;
      throw std::invalid_argument("a noise option is negative; give standard deviations.");
    }
  }
  return errors;
}

void follow_motion(const JointMotion& motion, SimulationSetup& setup) {
  setup.controller = ControllerKind::kComputedTorque;
  setup.reference = [motion, q = VectorXd(), v = VectorXd(), a = VectorXd()](
                        double time_s, MotionPoint& point) mutable {
    sample(motion, time_s, q, v, a);
    point.position.assign(q.begin(), q.end());
    point.velocity.assign(v.begin(), v.end());
    point.acceleration.assign(a.begin(), a.end());
  };
  if (setup.seconds == 0.0) setup.seconds = motion.duration();
}

}  // namespace spatial_dynamics::cli
