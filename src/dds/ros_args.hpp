// The command line as ROS 2 users write it: --ros-args -r from:=to -p name:=value --params-file F
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
  std::vector<RemapRule> remaps;  ///< in order, checked; the first that matches counts
  std::vector<ParameterArgument> parameters;
  std::vector<LoggerLevel> log_levels;  ///< the last one of a logger counts
  std::string enclave;                  ///< of --enclave, the last one; empty: none was given
  std::vector<std::string> ignored;  ///< what ROS 2 knows and the stand-alone node has no use for
  std::vector<std::string> rest;     ///< what does not belong to ROS 2, in order
};

/// Takes the ROS 2 arguments out of a command line, by ROS 2's rules: each `--ros-args` begins a
/// section and `--`, or the end, ends it; there may be several. Throws Error with one sentence that
/// names the argument. Allocates.
RosArguments parse_ros_arguments(const std::vector<std::string>& arguments);

/// Sets the parameters of the node of this full name from -p and --params-file, in their order. (In
/// ROS 2 a file's section for one node overrides a -p that comes after it; here the later one
/// always counts.) An error names file and line, or the argument, and leaves the set unchanged.
/// Throws Error. Allocates.
void apply_parameters(const RosArguments& arguments, std::string_view full_node_name,
                      ParameterSet& parameters);

}  // namespace spatial_dynamics::dds
