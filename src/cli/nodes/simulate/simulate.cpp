#include "cli/subcommands.hpp"

#include <string>

#include "cli/nodes/common/process.hpp"
#include "dds/simulator_node.hpp"
#include "runtime/parameters_table.hpp"

namespace spatial_dynamics::cli {

int simulate_on_dds(const DdsSimulation& options, const dds::RosArguments& ros) {
  ParameterChanges given = robot_parameters(options.robot);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  // While a parameter file is read, possibly from a pipe, signals still end the process.
  const ParameterSet parameters =
      node_parameters(simulator_parameter_table(), ros, "robot_simulator", given);
  require_robot_file(options.robot.file, parameters);
  const EndSignals signals;
  const auto log = make_log(ros, "robot_simulator");
  const dds::SimulatorNode node({parameters, node_options(ros, "robot_simulator"), log,
                                 [&signals] { return signals.pending(); }});
  log(LogLevel::kInfo, "node " + node.node().name().full() + " is up in domain " +
                           std::to_string(node.node().domain_id()));
  (void)signals.wait(options.seconds);
  return kSuccess;
}

}  // namespace spatial_dynamics::cli
