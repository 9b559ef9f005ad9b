// Helpers of the subcommands that run a node: log, node options, parameters, the shipped robot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "dds/node.hpp"
#include "dds/ros_args.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/end_signals.hpp"

namespace spatial_dynamics::cli {

/// A log on standard error (standard_error_log.hpp) with the level of --log-level. Starts its
/// thread.
std::function<void(LogLevel, const std::string&)> make_log(const dds::RosArguments& ros,
                                                           const std::string& node);

/// Name, remappings and enclave of a node.
dds::NodeOptions node_options(const dds::RosArguments& ros, const std::string& name);

/// The robot's file as the argument `robot` or as --urdf, and add_load_options(). `help` describes
/// the argument. `options` must outlive the parsing.
void add_robot_options(CLI::App& command, ModelOptions& options, const char* help);

/// What the options of add_robot_options() mean for the parameters of a node; without urdf_file if
/// no file is given. Allocates.
ParameterChanges robot_parameters(const ModelOptions& options);

/// The table's defaults, then those of the subcommand, then options of the command line, then
/// --ros-args. Throws dds::Error, or ParameterError, also if an option and --ros-args give a
/// parameter different values. Warns on standard error about a parameter file for other nodes only.
ParameterSet node_parameters(const ParameterTable& table, const dds::RosArguments& ros,
                             const std::string& name, const ParameterChanges& options,
                             const ParameterChanges& defaults = {});

/// Appends the parameters that differ from their defaults as -p arguments.
void append_parameters(const ParameterSet& parameters, std::vector<std::string>& arguments);

/// Throws the same ModelError as `check` if a file given on the command line can't be read, before
/// the node would report the parameter `urdf_file`. Does nothing if `file` is empty or --ros-args
/// named another.
void require_robot_file(const std::string& file, const ParameterSet& parameters);

/// The 7-joint arm that `demo` and `latency` use by default: from the installation (relative to
/// bin/ or lib/spatial_dynamics/), else from the source tree. Allocates.
std::string shipped_robot();

}  // namespace spatial_dynamics::cli
