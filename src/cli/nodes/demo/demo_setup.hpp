// Prepares the demo: loads the robot and makes the arguments of its processes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/nodes/demo/demo_hand.hpp"
#include "cli/nodes/demo/demo_reading.hpp"
#include "dds/ros_args.hpp"
#include "spatial_dynamics/simulation/smooth_reference.hpp"

namespace spatial_dynamics::cli {

struct DemoOptions {
  ModelOptions model;    ///< without a file: the shipped arm
  double rate_hz = 0.0;  ///< 0: the node's default
  std::string mode;      ///< empty: computed_torque
  double seconds = 0.0;  ///< 0: until Ctrl-C on a terminal, else 10 s
  std::string record;    ///< a CSV file to write; empty: none
};

struct DemoSetup {
  DemoSubject subject;
  std::optional<SmoothReference> reference;  ///< in mode computed_torque
  std::optional<DemoHand> hand;              ///< in modes that yield to it
  std::string dynamics, simulator;           ///< full names of the nodes
  std::vector<std::string> dynamics_arguments, simulator_arguments;
  std::string remark;  ///< on a motion that the effort limits do not permit; empty: none
};

/// Loads the robot and decides where it starts and how it moves. Arguments after --ros-args are
/// passed to the node, those of the form -p robot_simulator:NAME:=VALUE to the simulated robot.
/// Allocates; throws std::runtime_error or a class derived from it.
DemoSetup make_demo_setup(const DemoOptions& options, const dds::RosArguments& ros);

/// Restricts discovery to this host, unless the environment sets a domain or a discovery range.
/// Call it before any thread is started.
void keep_to_this_host();

}  // namespace spatial_dynamics::cli
