// Time per joint of longer and longer chains.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// A table with bars: nanoseconds per joint of inverse and forward dynamics, chains of 7 to 10,000 revolute joints. Allocates.
std::string scaling_text(int rounds);

}  // namespace spatial_dynamics::cli
