// Other libraries as contenders of `bench`.
#pragma once

#include "contender.hpp"

namespace spatial_dynamics::cli {

/// Those in the folder, shared objects called *_peer.so, which stay loaded until the process ends. `notes` says who could not take
/// part and why. Allocates.
void add_peers(const Model& model, const std::string& folder, Contenders& contenders,
               std::vector<std::string>& notes);

}  // namespace spatial_dynamics::cli
