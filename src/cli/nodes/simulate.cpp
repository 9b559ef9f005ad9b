#include "simulate.hpp"

#include <string>
#include <utility>
#include <vector>

#include "../exit_code.hpp"
#include "dds/simulator_node.hpp"
#include "process.hpp"

namespace spatial_dynamics::cli {

int simulate_on_dds(const DdsSimulation& options, const dds::RosArguments& ros) {
  const Signals signals;
  std::vector<std::pair<std::string, ParameterValue>> given;
  if (!options.urdf.empty()) given.emplace_back("urdf_file", options.urdf);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  const auto log = make_log(ros, "robot_simulator");
  const ParameterSet parameters =
      node_parameters(simulator_parameter_table(), ros, "robot_simulator", given);
  require_robot_file(options.urdf, parameters);
  const dds::SimulatorNode node({parameters, node_options(ros, "robot_simulator"), log});
  log(LogLevel::kInfo, "node " + node.node().name().full() + " is up in domain " +
                           std::to_string(node.node().domain_id()));
  signals.wait(options.seconds);
  return kSuccess;
}

}  // namespace spatial_dynamics::cli
