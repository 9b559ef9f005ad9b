// From the demo's command line to all that its parts need.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dds/ros_args.hpp"
#include "demo_reading.hpp"
#include "spatial_dynamics/runtime/smooth_reference.hpp"

namespace spatial_dynamics::cli {

struct DemoOptions {
  std::string urdf;      ///< empty: the shipped arm
  double rate_hz = 0.0;  ///< 0: the node's default
  std::string mode;      ///< empty: computed_torque
  bool floating_base = false;
  double seconds = 0.0;  ///< 0: until Ctrl-C on a terminal, else 10 s
  std::string record;    ///< a CSV file to write; empty: none
};

struct DemoSetup {
  DemoSubject subject;
  std::optional<SmoothReference> reference;  ///< in the mode that follows one
  std::string dynamics;                      ///< the node's full name
  std::vector<std::string> dynamics_arguments, simulator_arguments;
  std::string remark;  ///< what the robot can't do; empty: nothing
};

/// Loads the robot and decides where it starts and how it moves. Arguments after --ros-args are the node's; with the prefix
/// `robot_simulator:` a -p is the robot's. Allocates; throws std::runtime_error or a kind of it with one sentence.
DemoSetup make_demo_setup(const DemoOptions& options, const dds::RosArguments& ros);

/// Unless the user has chosen a domain or a range of discovery, nothing of the demo leaves this host. Before any thread.
void keep_to_this_host();

}  // namespace spatial_dynamics::cli
