// `spatial_dynamics demo`: the node and a simulated robot as two processes, and a live view of them.
#pragma once

#include <CLI/CLI.hpp>

#include "dds/ros_args.hpp"

namespace spatial_dynamics::cli {

/// `ros` is what stood behind --ros-args; it must outlive the parsing.
void add_demo(CLI::App& app, const dds::RosArguments& ros, int& exit_code);

}  // namespace spatial_dynamics::cli
