// The robot that commands take when none is named.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// The 7-joint arm: beside the installed program (bin/ or lib/spatial_dynamics/), else where it was built from. Allocates.
std::string shipped_robot();

}  // namespace spatial_dynamics::cli
