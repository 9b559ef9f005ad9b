// Payloads as text for a node: an argument, a message and a parameter file.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/fitted_payload.hpp"

namespace spatial_dynamics::cli {

/// A number for a parameter file, with a decimal point: ROS 2 reads one without as an integer.
std::string yaml_number(double value);

/// "LINK=MASS,X,Y,Z", with the inertia unless it is a point mass: the argument of `--payload` and
/// of `spatial_dynamics send payload`.
std::string payload_argument(const NamedPayload& payload);

/// The command of ROS 2 that sends the payload to the topic ~/payload.
std::string payload_message(const NamedPayload& payload);

/// A parameter file with the payloads of a node: parameters payloads.links, masses, centers and,
/// unless all are point masses, inertias.
std::string payload_parameters(const std::vector<NamedPayload>& payloads);

}  // namespace spatial_dynamics::cli
