// Time per joint of chains of increasing length.
#pragma once

#include <string>

#include "support/history.hpp"

namespace spatial_dynamics::cli {

/// Nanoseconds per joint of inverse and forward dynamics for chains of 7 to 10,000 revolute joints.
/// The number of joints takes the place of the time. Allocates.
History measure_scaling(int rounds);

/// A table with bars. Allocates.
std::string scaling_text(const History& times);

/// A plot over the logarithm of the number of joints. Allocates.
std::string scaling_svg(const History& times);

}  // namespace spatial_dynamics::cli
