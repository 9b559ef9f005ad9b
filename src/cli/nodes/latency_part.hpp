// The processes that `spatial_dynamics latency` measures and no user would start: hidden from the help.
#pragma once

#include <CLI/CLI.hpp>

#include "dds/ros_args.hpp"

namespace spatial_dynamics::cli {

/// `spatial_dynamics latency_part echo`: the least that a node on this middleware can do. It answers a joint state with its efforts,
/// on the thread that received it. What a node that computes takes longer than this is its own doing.
///
/// `spatial_dynamics latency_part timed`: the dynamics node; at its end it prints one line of JSON, which read_timing() of
/// latency_figures.hpp understands.
///
/// Both end on SIGINT and SIGTERM. `ros` is what stood behind --ros-args; it must outlive the parsing.
void add_latency_part(CLI::App& app, const dds::RosArguments& ros, int& exit_code);

}  // namespace spatial_dynamics::cli
