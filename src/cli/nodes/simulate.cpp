#include "simulate.hpp"

#include <memory>
#include <string>

#include "../exit_code.hpp"
#include "dds/simulator_node.hpp"
#include "process.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kFooter = R"(Example:
  spatial_dynamics simulate --dds urdf/arm7.urdf
  spatial_dynamics simulate --dds urdf/arm7.urdf --ros-args -r __ns:=/left \
      -p rate_hz:=500 -p position_noise:=1e-5

The node is called /robot_simulator. It takes efforts from dynamics/torque and
publishes joint_states (with --ros-args -p floating_base:=true also odom) at its
own rate. Before the first effort its brakes are on. config/simulator.yaml lists
every parameter.

Ctrl-C ends it. Exit code: 0, 1 if the robot or a parameter was refused, 2 if
the command line is wrong.
)";

struct SimulateOptions {
  std::string urdf;
  bool dds = false;
  double rate_hz = 0.0;
  double seconds = 0.0;
};

int simulate(const SimulateOptions& options, const dds::RosArguments& ros) {
  const Signals signals;
  std::vector<std::pair<std::string, ParameterValue>> given;
  if (!options.urdf.empty()) given.emplace_back("urdf_file", options.urdf);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  const auto log = make_log(ros, "robot_simulator");
  const dds::SimulatorNode node(
      {node_parameters(simulator_parameter_table(), ros, "robot_simulator", given),
       node_options(ros, "robot_simulator"), log});
  log(LogLevel::kInfo, "node " + node.node().name().full() + " is up in domain " +
                           std::to_string(node.node().domain_id()));
  signals.wait(options.seconds);
  return kSuccess;
}

}  // namespace

void add_simulate(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand("simulate", "Simulate a robot as a node on DDS.");
  const auto options = std::make_shared<SimulateOptions>();
  command->add_option("robot", options->urdf, "The robot; the same as -p urdf_file:=FILE")
      ->type_name("ROBOT.urdf");
  command->add_flag("--dds", options->dds, "Run as a node on DDS")->required();
  command->add_option("--rate", options->rate_hz, "Steps per second; -p rate_hz:=HZ")
      ->type_name("HZ")
      ->check(CLI::PositiveNumber);
  command->add_option("--seconds", options->seconds, "End after this time; without it, on Ctrl-C")
      ->type_name("S")
      ->check(CLI::PositiveNumber);
  command->footer(kFooter);
  command->callback([options, &ros, &exit_code] { exit_code = simulate(*options, ros); });
}

}  // namespace spatial_dynamics::cli
