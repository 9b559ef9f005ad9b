// Parameter files as ROS 2 writes them, for a node that has no ROS 2 to read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/parameters.hpp"

namespace spatial_dynamics::dds {

/// Larger files are rejected before they are read.
inline constexpr std::size_t kLargestParamsFile = std::size_t{1} << 20U;

/// One value of a parameter file.
struct FileParameter {
  std::string node;  ///< the section's name as it stands: "/**", "dynamics", "/left/dynamics",
                     ///< "/*/dynamics"
  std::string name;  ///< nested maps joined by dots: "gains.kp"
  ParameterValue value;
  int line = 0;
};

/// True if a section of this name is meant for the node of that full name: `*` stands for one part
/// of it, `**` for any number of parts, and a name without a leading slash has one by nature.
bool section_matches(std::string_view section, std::string_view full_node_name);

/// All values in a text, in order. Throws Error: "<source>:<line>: …". Allocates.
std::vector<FileParameter> parse_params(const std::string& text, const std::string& source);

/// Sets what the file has for this node, in its order, so that later values override earlier ones.
/// Rejects the whole file, with
/// "<path>:<line>: …", for a value that the table rejects; the set is then as it was. Throws Error.
/// Allocates.
void apply_params_file(const std::string& path, std::string_view full_node_name,
                       ParameterSet& parameters);

}  // namespace spatial_dynamics::dds
