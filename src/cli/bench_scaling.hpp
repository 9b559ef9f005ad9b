// Time per joint of longer and longer chains.
#pragma once

#include <string>

#include "history.hpp"

namespace spatial_dynamics::cli {

/// Nanoseconds per joint of inverse and forward dynamics; instead of a time each row has a number of joints, 7 to 10,000 in a
/// chain of revolute ones. Allocates.
History measure_scaling(int rounds);

/// A table with bars. Allocates.
std::string scaling_text(const History& times);

/// A picture over the logarithm of the number of joints. Allocates.
std::string scaling_svg(const History& times);

}  // namespace spatial_dynamics::cli
