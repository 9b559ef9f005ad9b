// `spatial_dynamics simulate --dds`: the simulated robot as a node.
#pragma once

#include <CLI/CLI.hpp>

#include "dds/ros_args.hpp"

namespace spatial_dynamics::cli {

/// `ros` is what stood behind --ros-args; it must outlive the parsing.
void add_simulate(CLI::App& app, const dds::RosArguments& ros, int& exit_code);

}  // namespace spatial_dynamics::cli
