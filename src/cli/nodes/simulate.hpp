// `spatial_dynamics simulate --dds`: the simulated robot as a node.
#pragma once

#include "../simulate.hpp"
#include "dds/ros_args.hpp"

namespace spatial_dynamics::cli {

/// Runs until its time is over or a signal comes; `ros` is what stood behind --ros-args. Returns the exit code.
int simulate_on_dds(const DdsSimulation& options, const dds::RosArguments& ros);

}  // namespace spatial_dynamics::cli
