// Corrects misspelt names in error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

/// The name that differs from `name` by the fewest inserted, deleted or replaced characters, at
/// most a third of its own; empty if there is none. Allocates.
std::string nearest_name(std::string_view name, const std::vector<std::string>& names);

/// "did you mean 'tool0'?", or "choose among 'base', 'tool0'" with at most twelve names. Allocates.
std::string name_advice(std::string_view name, const std::vector<std::string>& names);

}  // namespace spatial_dynamics
