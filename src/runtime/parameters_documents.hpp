// Documents that are generated from the tables: config/*.yaml with the defaults, and
// docs/parameters.md.
#pragma once

#include <ostream>
#include <string_view>

#include "runtime/parameters.hpp"

namespace spatial_dynamics {

/// A parameter file for ROS 2 (`/**: ros__parameters:`) with every parameter at its default,
/// explained in a comment. Those whose default is nothing, and use_sim_time, which launch files set
/// for all nodes, are commented out. Allocates.
void write_default_yaml(std::ostream& out, const ParameterTable& table, std::string_view node);

/// All parameters of both nodes as one page of Markdown. Allocates.
void write_parameter_markdown(std::ostream& out);

}  // namespace spatial_dynamics
