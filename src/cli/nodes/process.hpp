// What every subcommand that runs a node needs: signals, a log on standard error, options that are parameters.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dds/node.hpp"
#include "dds/ros_args.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics::cli {

/// Keeps SIGINT, SIGTERM and SIGHUP for wait(): construct it before any thread. Those that come while the node winds down change
/// nothing: the ramp to zero is short, and more important.
class Signals {
 public:
  Signals();
  /// Until a signal comes or `seconds` have passed (0: no limit). True if it was a signal.
  bool wait(double seconds) const;

 private:
  sigset_t set_{};
};

/// Lines as ROS 2 nodes write them, for the levels that --log-level lets through.
std::function<void(LogLevel, const std::string&)> make_log(const dds::RosArguments& ros,
                                                           const std::string& node);

/// Where the node appears after remapping, with what it takes to make it.
dds::NodeOptions node_options(const dds::RosArguments& ros, const std::string& name);

/// The table's defaults, then options of the command line, then --ros-args. Throws dds::Error or ParameterError.
ParameterSet node_parameters(const ParameterTable& table, const dds::RosArguments& ros,
                             const std::string& name,
                             const std::vector<std::pair<std::string, ParameterValue>>& options);

/// Says of a robot's file that was given on the command line what `check` says of it, before a node speaks of the parameter that it
/// became. Nothing where `file` is empty or --ros-args named another. Throws ModelError.
void require_robot_file(const std::string& file, const ParameterSet& parameters);

}  // namespace spatial_dynamics::cli
