#include "cli/subcommands.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/common/plot_file.hpp"
#include "cli/common/progress.hpp"
#include "cli/simulate/sensor_options.hpp"
#include "cli/simulate/simulation_plot.hpp"
#include "cli/simulate/summary_text.hpp"
#include "runtime/simulator_config.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kSimulateFooter = R"(Example:
  spatial_dynamics simulate urdf/arm7.urdf --controller computed_torque \
      --plot motion.svg
  spatial_dynamics simulate urdf/double_pendulum.urdf --position 2 --dt 0.01 \
      --csv fall.csv

Integrates the motion without waiting for real time and prints a summary. The
controller gets the true state once per step:
  none                  the motors are off
  gravity_compensation  the motors compensate gravity
  computed_torque       the motors follow a smooth motion within the limits
With --controller-urdf FILE it computes with another URDF than the robot's, as
on a robot whose URDF is wrong.
Efforts are limited to the limits of the URDF. A floating base
(--floating-base) has no motor.

The summary compares the energy with the work of the motors. Friction and stops
dissipate energy; with --no-friction --no-stops the difference is the error of
the integrator.

--csv has one line per step: time_s, q:, v:, a: and effort: of each joint (the
effort of the step that begins, and the acceleration that it causes without
stops), reference: of each joint in computed_torque, kinetic_energy,
potential_energy. SI units. `spatial_dynamics replay` and `identify` read it.

--motion FILE follows a motion that `excite` wrote, from its start to its end, with
computed torque. Then --csv is what sensors measure: time_s, and position:,
velocity: and effort: of each joint, with the errors that --position-noise,
--velocity-noise, --effort-noise and --position-quantum give. Without --motion
these options have the same effect on --csv.

--csv - writes the table to standard output and all text to standard error.

Exit code: 0; 1 if the robot was rejected, the motion diverged, the steps are
too long, the motion loses its reference, or a file can't be written; 2 if the
command line is wrong.
)";

constexpr const char* kDdsFooter = R"(
With --dds it runs as the node /robot_simulator in real time: it subscribes to
efforts on dynamics/torque and publishes joint_states (with --floating-base also
odom) at its own rate. Its brakes are on until the first effort arrives. Its
options are those of the robot (--payload and so on), --rate, --seconds and
--ros-args; config/simulator.yaml lists every parameter. Ctrl-C ends it.
  spatial_dynamics simulate --dds urdf/arm7.urdf --ros-args -r __ns:=/left \
      -p rate_hz:=500 -p noise.position:=1e-5
)";

constexpr double kMostNumbers = 2e8;  // bounds the memory of the history

struct SimulateOptions {
  ModelOptions model;
  SimulationSetup setup;
  /// rad or m, rad/s or m/s: none, one for all, or one per coordinate. Without positions: 0, moved
  /// into the limits.
  std::vector<double> position, velocity;
  std::string controller_urdf;
  SensorOptions sensors;
  bool measures = false;  ///< --csv is what sensors measure
  std::string csv, plot;
  bool dds = false;
  double rate_hz = 0.0;
};

std::vector<double> first_point(const MatrixXd& points) {
  const VectorXd first = points.col(0);
  return {first.begin(), first.end()};
}

VectorXd initial_position(const Model& model, const SimulateOptions& options) {
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  const std::vector<double> positions =
      per_coordinate("--position", options.position, coordinates.size(), kNoPosition);
  const std::string beyond = beyond_limits(model, coordinates, positions);
  if (options.setup.joint_stops && !beyond.empty()) {
    throw std::invalid_argument("--position is " + beyond +
                                "; start between them, or give --no-stops.");
  }
  return initial_configuration(model, coordinates, positions);
}

VectorXd initial_velocity(const Model& model, const std::vector<double>& given) {
  VectorXd v = VectorXd::Zero(model.nv());
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  const std::vector<double> velocities =
      per_coordinate("--velocity", given, coordinates.size(), 0.0);
  for (std::size_t k = 0; k < coordinates.size(); ++k) v[coordinates[k].v] = velocities[k];
  return v;
}

/// The model of --controller-urdf, which must have the robot's joints.
void load_controller_model(const Model& robot, SimulateOptions& options) {
  ModelOptions known = options.model;
  known.file = options.controller_urdf;
  ModelReport report;
  auto model = std::make_shared<Model>(load_model(known, report));
  if (model->joint_names() != robot.joint_names()) {
    throw std::invalid_argument("--controller-urdf: " + in_quotes(options.controller_urdf) +
                                " has other joints than the robot, or in another order.");
  }
  options.setup.controller_model = std::move(model);
}

int simulate(SimulateOptions options) {
  ModelReport report;
  Model model = load_model(options.model, report);
  note_findings(options.model, report);
  const std::string name = model.name();
  if (!options.sensors.motion.empty()) {
    const JointMotion motion =
        in_order(read_motion(options.sensors.motion), scalar_coordinates(model));
    options.position = first_point(motion.position);
    options.velocity = first_point(motion.velocity);
    follow_motion(motion, options.setup);
  }
  if (!options.controller_urdf.empty()) load_controller_model(model, options);
  const double rows = options.setup.seconds / options.setup.dt;
  if (rows * static_cast<double>(model.nq() + 3 * model.nv() + 3) > kMostNumbers) {
    throw CLI::ValidationError("--dt",
                               "needs too many steps for the memory; simulate a shorter time");
  }
  const VectorXd q = initial_position(model, options);
  const VectorXd v = initial_velocity(model, options.velocity);
  if (!(options.setup.seconds >= options.setup.dt)) {
    throw std::invalid_argument("--seconds is shorter than --dt; simulate at least one step.");
  }
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  const SensorErrors errors = sensor_errors(options.sensors, coordinates.size());
  SimulationRun run(std::move(model), options.setup, q, v);
  SimulationSummary summary;
  {
    Progress progress;
    summary = run.run([&progress](double share) { progress.show(share); });
  }
  if (!options.csv.empty()) {
    write_file(options.csv, to_csv(options.measures ? sensor_log(coordinates, run.history(), errors)
                                                    : run.history()));
  }
  if (!options.plot.empty()) {
    write_plot(options.plot,
               to_svg(name, run.history(), simulation_panels(run, options.setup.controller)));
  }
  std::FILE* const out = options.csv == kStandardOutput ? stderr : stdout;
  print_summary(summary, options.setup.controller, out);
  if (options.setup.controller == ControllerKind::kComputedTorque) {
    print_joints_at_rest(report, out);
  }
  const std::string problem = simulation_failure(summary, options.setup.dt);
  if (problem.empty()) return kSuccess;
  std::fprintf(stderr, "%s\n", problem.c_str());
  return kFailure;
}

void add_motion_options(CLI::App& command, SimulateOptions& options) {
  static const std::map<std::string, Integrator> kIntegrators{
      {"semi_implicit", Integrator::kSemiImplicit}, {"rk4", Integrator::kRk4}};
  static const std::map<std::string, ControllerKind> kControllers{
      {"none", ControllerKind::kNone},
      {"gravity_compensation", ControllerKind::kGravityCompensation},
      {"computed_torque", ControllerKind::kComputedTorque}};
  SimulationSetup& setup = options.setup;
  command.add_option("--dt", setup.dt, "Seconds per step (0.001)")
      ->type_name("S")
      ->check(positive());
  command.add_option("--integrator", setup.integrator, "semi_implicit or rk4 (rk4)")
      ->type_name("NAME")
      ->transform(choice_of(kIntegrators));
  command
      .add_option("--controller", setup.controller,
                  "none, gravity_compensation or computed_torque (none)")
      ->type_name("NAME")
      ->transform(choice_of(kControllers));
  command
      .add_option("--controller-urdf", options.controller_urdf,
                  "The controller computes with this URDF, not with the robot's")
      ->type_name("FILE.urdf");
  command
      .add_option("--position", options.position,
                  "Initial position, rad or m: one for all joints or one for each")
      ->type_name("Q,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--velocity", options.velocity,
                  "Initial velocity, rad/s or m/s: one for all joints or one for each")
      ->type_name("V,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--no-friction", [&options] { options.model.load.friction = false; },
      "Ignore the damping and friction of the URDF");
  command.add_flag_callback(
      "--no-stops", [&setup] { setup.joint_stops = false; },
      "Let joints move beyond their position limits");
  command.add_option("--csv", options.csv, "Write a table of every step; - is standard output")
      ->type_name("FILE");
  command.add_option("--plot", options.plot, "Draw positions, efforts and energies")
      ->type_name(kPlotFile)
      ->check(CLI::Validator(plot_file_problem, "", "plot"));
}

/// Without --dds the robot's file is required; with --dds it may be a parameter of the node.
void check_arguments(const CLI::App& command, const SimulateOptions& options) {
  if (!options.dds && options.model.file.empty()) throw CLI::RequiredError("robot");
  if (!options.dds && options.rate_hz > 0.0) {
    throw CLI::ValidationError("--rate", "is only for --dds; use --dt");
  }
  if (!options.dds) return;
  static const std::set<std::string> kOfNode{"robot",  "--dds",     "--rate",          "--seconds",
                                             "--help", "--strict",  "--floating-base", "--armature",
                                             "--lock", "--payload", "--gravity"};
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    if (kOfNode.count(name) == 0 && option->count() > 0) {
      throw CLI::ValidationError(name, "is not for --dds; use --ros-args -p NAME:=VALUE");
    }
  }
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code, std::function<int(const DdsSimulation&)> on_dds) {
  CLI::App* const command =
      app.add_subcommand("simulate", "Simulate a robot and show its motion and energy");
  const auto options = std::make_shared<SimulateOptions>();
  add_model_options(*command, options->model);
  command->get_option("robot")->required(false);
  command->add_option("--seconds", options->setup.seconds, "Duration (5; with --dds unlimited)")
      ->type_name("S")
      ->check(positive());
  add_motion_options(*command, *options);
  add_sensor_options(*command, options->sensors);
  if (on_dds) {
    command->add_flag("--dds", options->dds, "Run as a node on DDS, in real time");
    command->add_option("--rate", options->rate_hz, "With --dds: steps per second")
        ->type_name("HZ")
        ->check(positive());
  }
  command->footer(std::string(kSimulateFooter) + (on_dds ? kDdsFooter : ""));
  command->callback([options, command, &exit_code, on_dds = std::move(on_dds)] {
    check_arguments(*command, *options);
    const bool timed = command->get_option("--seconds")->count() > 0;
    if (!options->dds) {
      options->measures = gives_sensors(*command);
      if (!timed && !options->sensors.motion.empty()) options->setup.seconds = 0.0;  // the motion's
      exit_code = simulate(*options);
      return;
    }
    exit_code = on_dds({options->model, options->rate_hz, timed ? options->setup.seconds : 0.0});
  });
}

}  // namespace spatial_dynamics::cli
