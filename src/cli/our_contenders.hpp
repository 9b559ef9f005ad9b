// Our own implementations as contenders of `bench`.
#pragma once

#include "contender.hpp"

namespace spatial_dynamics::cli {

/// Textbook, kernel, batch, generated and generated batch, in this order. `notes` says why there is no generated code where there is
/// none. Allocates.
void add_ours(const Model& model, Contenders& contenders, std::vector<std::string>& notes);

}  // namespace spatial_dynamics::cli
