// Reads parameter files of ROS 2 without ROS 2.
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
  std::string node;  ///< name of the section: "/**", "dynamics", "/left/dynamics",
                     ///< "/*/dynamics"
  std::string name;  ///< nested maps joined by dots: "gains.kp"
  ParameterValue value;
  int line = 0;
};

/// True if a section with this name applies to the node with this full name: `*` matches one part
/// of the name, `**` any number of parts, and a name without a leading slash has one implicitly.
bool section_matches(std::string_view section, std::string_view full_node_name);

/// All values in a text, in order. Throws Error: "<source>:<line>: …". Allocates.
std::vector<FileParameter> parse_params(const std::string& text, const std::string& source);

/// Sets the values of the file for this node in their order, so that later ones override earlier
/// ones. If the table rejects a value, throws Error "<path>:<line>: …" and leaves the set
/// unchanged. Returns a warning if all values of the file are for other nodes, otherwise nothing.
/// Allocates.
std::string apply_params_file(const std::string& path, std::string_view full_node_name,
                              ParameterSet& parameters);

}  // namespace spatial_dynamics::dds
