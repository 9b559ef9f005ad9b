// The difference of two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace spatial_dynamics {

/// A unified diff with three lines around each change, as `diff -u` prints it; empty if the texts
/// are equal. Allocates.
std::string unified_diff(std::string_view before, std::string_view after,
                         const std::string& name_before, const std::string& name_after);

}  // namespace spatial_dynamics
