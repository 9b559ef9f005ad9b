// What to do after a lifecycle node could not be configured.
#pragma once

#include <exception>
#include <string>

#include "runtime/parameters.hpp"

namespace spatial_dynamics {

/// The end of a sentence, for an error of a node with these parameters, whose full name is `node`.
/// Parameters that are not live are read-only in ROS 2: to change one, the node must be started
/// again. Allocates.
std::string configure_remedy(const std::exception& error, const ParameterSet& parameters,
                             const std::string& node);

}  // namespace spatial_dynamics
