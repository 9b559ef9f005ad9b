// Parses the command line of ROS 2: --ros-args -r from:=to -p name:=value --params-file F
// --log-level L --enclave E --
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dds/topic_names.hpp"
#include "runtime/parameters.hpp"

namespace spatial_dynamics::dds {

/// One `-p` or `--params-file`. They are kept together because later ones override earlier ones.
struct ParameterArgument {
  std::string file;   ///< of --params-file; empty for -p
  std::string node;   ///< of `-p node:name:=value`; empty: every node
  std::string name;   ///< of -p
  std::string value;  ///< of -p, as YAML
};

struct LoggerLevel {
  std::string logger;  ///< empty: all
  std::string level;   ///< debug, info, warn, error, fatal or unset
};

struct RosArguments {
  std::vector<RemapRule> remaps;  ///< in order, checked; the first match applies
  std::vector<ParameterArgument> parameters;
  std::vector<LoggerLevel> log_levels;  ///< the last one of a logger applies
  std::string enclave;                  ///< the last --enclave; empty: none
  std::vector<std::string> ignored;     ///< arguments of ROS 2 without effect here
  std::vector<std::string> rest;        ///< arguments that are not for ROS 2, in order
};

/// Separates the ROS 2 arguments from the others by ROS 2's rules: each `--ros-args` begins a
/// section, and `--` or the end of the line ends it; there may be several. Throws Error with one
/// sentence that names the argument. Allocates.
RosArguments parse_ros_arguments(const std::vector<std::string>& arguments);

/// Sets the parameters of this node (full name) from -p and --params-file, in their order. A later
/// value overrides an earlier one. (In ROS 2, a file's section for one node overrides a later -p.)
/// An error names the file and line, or the argument, and leaves the set unchanged. Throws Error.
/// Returns a warning for each file whose values are all for other nodes. Allocates.
std::vector<std::string> apply_parameters(const RosArguments& arguments,
                                          std::string_view full_node_name,
                                          ParameterSet& parameters);

}  // namespace spatial_dynamics::dds
