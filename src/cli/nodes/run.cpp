#include "run.hpp"

#include <memory>
#include <string>

#include "../exit_code.hpp"
#include "../option_checks.hpp"
#include "dds/dynamics_node.hpp"
#include "process.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kRunFooter = R"(Example:
  spatial_dynamics run urdf/arm7.urdf --mode gravity_compensation
  spatial_dynamics run --ros-args -p urdf_file:=urdf/arm7.urdf -p rate_hz:=500 \
      -r __ns:=/left -r joint_states:=arm/joint_states --params-file my.yaml

The node is called /dynamics. It listens to joint_states (and, without a URDF
of its own, to robot_description) and publishes ~/torque and ~/acceleration at
the fixed rate; docs/parameters.md lists every parameter, docs/node.md every
topic. A ROS 2 graph sees it as one of its nodes: ros2 topic echo
/dynamics/torque. It has no parameter or lifecycle services.

With ROS_SECURITY_ENABLE=true only members of the keystore are heard and
told; --ros-args --enclave NAME says which one this node is (docs/node.md).

ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS and
ROS_LOCALHOST_ONLY mean what they mean to ROS 2.

Ctrl-C ramps the torque to zero and ends. Exit code: 0, 1 if the robot or a
parameter was refused, 2 if the command line is wrong.
)";

struct RunOptions {
  std::string robot, urdf;  ///< two ways to give one file
  double rate_hz = 0.0;
  std::string mode;
  double seconds = 0.0;
};

int run(const RunOptions& options, const dds::RosArguments& ros) {
  const Signals signals;
  std::vector<std::pair<std::string, ParameterValue>> given;
  const std::string& file = options.robot.empty() ? options.urdf : options.robot;
  if (!file.empty()) given.emplace_back("urdf_file", file);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  if (!options.mode.empty()) given.emplace_back("torque_mode", options.mode);
  const auto log = make_log(ros, "dynamics");
  for (const std::string& argument : ros.ignored) {
    log(LogLevel::kWarning, "'" + argument + "' has no meaning for the stand-alone node; ignored");
  }
  const ParameterSet parameters = node_parameters(parameter_table(), ros, "dynamics", given);
  require_robot_file(file, parameters);
  dds::DynamicsNode node({parameters, node_options(ros, "dynamics"), log});
  log(LogLevel::kInfo, "node " + node.node().name().full() + " is up in domain " +
                           std::to_string(node.node().domain_id()));
  signals.wait(options.seconds);
  log(LogLevel::kInfo, "ramping the torque to zero");
  if (!node.shut_down()) {  // bounded; further signals wait until it is over
    log(LogLevel::kWarning, "the torque was set to zero before its ramp had ended");
  }
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand("run", "Run the dynamics node on DDS");
  const auto options = std::make_shared<RunOptions>();
  CLI::Option* const robot =
      command->add_option("robot", options->robot, "The URDF; the same as -p urdf_file:=FILE")
          ->type_name("ROBOT.urdf");
  command->add_option("--urdf", options->urdf, "Another way to give it")
      ->type_name("FILE")
      ->excludes(robot);
  command->add_option("--rate", options->rate_hz, "Cycles per second; -p rate_hz:=HZ")
      ->type_name("HZ")
      ->check(positive());
  command
      ->add_option(
          "--mode", options->mode,
          "inverse_dynamics, gravity_compensation or computed_torque; -p torque_mode:=MODE")
      ->type_name("MODE");
  command->add_option("--seconds", options->seconds, "End after this time; without it, on Ctrl-C")
      ->type_name("S")
      ->check(positive());
  command->footer(kRunFooter);
  command->callback([options, &ros, &exit_code] { exit_code = run(*options, ros); });
}

}  // namespace spatial_dynamics::cli
