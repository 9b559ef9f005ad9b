#include "cli/subcommands.hpp"

#include <memory>
#include <string>

#include "cli/common/options.hpp"
#include "cli/nodes/common/process.hpp"
#include "dds/dynamics_node.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/standard_error_log.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kRunFooter = R"(Example:
  spatial_dynamics run urdf/arm7.urdf \
      --ros-args --params-file config/gravity_compensation.yaml
  spatial_dynamics run urdf/arm7.urdf --payload flange=1.5,0,0,0.05
  spatial_dynamics run --ros-args -p urdf_file:=urdf/arm7.urdf -p rate_hz:=500 \
      -r __ns:=/left -r joint_states:=arm/joint_states --params-file my.yaml

The preset sets the mode and the fallback gravity_only: if the states stop, the
gravity torque of the last position is sent for two seconds. With --mode alone
the fallback is zero, and an arm without brakes falls.

The node is called /dynamics. It subscribes to joint_states (and, without a URDF
file, to robot_description) and publishes ~/torque and ~/acceleration at
the fixed rate; docs/parameters.md lists every parameter, docs/topics.md every
topic. It appears in a ROS 2 graph like any other node: ros2 topic echo
/dynamics/torque. It has no parameter or lifecycle services.

With ROS_SECURITY_ENABLE=true the node exchanges messages only with members of
the keystore; --ros-args --enclave NAME selects its enclave (docs/node.md).

ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS and
ROS_LOCALHOST_ONLY have the same meaning as for ROS 2.

Ctrl-C (SIGINT), Ctrl-Z, Ctrl-\, SIGTERM, SIGHUP, SIGXCPU and SIGPWR ramp the
torque to zero and end the node; docs/safety.md lists all signals.
-p autostart:=false starts it inactive: `spatial_dynamics activate` and
`deactivate` switch the torque on and off.

Exit code: 0, 1 if the robot or a parameter was rejected, 2 if the command line
is wrong.
)";

struct RunOptions {
  ModelOptions model;
  double rate_hz = 0.0;
  std::string mode;
  double seconds = 0.0;
};

int run(const RunOptions& options, const dds::RosArguments& ros) {
  ParameterChanges given = robot_parameters(options.model);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  if (!options.mode.empty()) given.emplace_back("torque_mode", options.mode);
  // While a parameter file is read, possibly from a pipe, signals still end the process.
  const ParameterSet parameters = node_parameters(parameter_table(), ros, "dynamics", given);
  require_robot_file(options.model.file, parameters);
  const EndSignals signals;
  const auto log = make_log(ros, "dynamics");
  for (const std::string& argument : ros.ignored) {
    log(LogLevel::kWarning, "'" + argument + "' has no meaning for the stand-alone node; ignored");
  }
  dds::DynamicsNode node({parameters, node_options(ros, "dynamics"), log, standard_error_lines_lost,
                          [&signals] { return signals.pending(); }});
  log(LogLevel::kInfo, "node " + node.node().name().full() + " is up in domain " +
                           std::to_string(node.node().domain_id()));
  (void)signals.wait(options.seconds);
  log(LogLevel::kInfo, "ramping the torque to zero");
  node.shut_down();  // takes a bounded time; further signals are blocked until then
  end_process_after(kLongestExit, kSuccess);
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand("run", "Run the dynamics node on DDS");
  const auto options = std::make_shared<RunOptions>();
  add_robot_options(*command, options->model, "The URDF; the same as -p urdf_file:=FILE");
  command->add_option("--rate", options->rate_hz, "Cycles per second; -p rate_hz:=HZ")
      ->type_name("HZ")
      ->check(positive());
  command
      ->add_option("--mode", options->mode,
                   "inverse_dynamics, gravity_compensation, computed_torque, joint_impedance or "
                   "hand_guiding; "
                   "-p torque_mode:=MODE")
      ->type_name("MODE");
  command->add_option("--seconds", options->seconds, "End after this time (on Ctrl-C)")
      ->type_name("S")
      ->check(positive());
  command->footer(kRunFooter);
  command->callback([options, &ros, &exit_code] { exit_code = run(*options, ros); });
}

}  // namespace spatial_dynamics::cli
