// Numbers of things in sentences.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// "1 joint", "2 joints", "0 joints".
template <typename Count>
std::string counted(Count count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace spatial_dynamics::cli
