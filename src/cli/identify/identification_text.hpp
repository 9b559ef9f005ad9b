// The result of `identify --all` as text.
#pragma once

#include <string>

#include "spatial_dynamics/identification/identify_robot.hpp"

namespace spatial_dynamics::cli {

/// How many combinations were fitted, the condition number, and the lag.
std::string fit_text(const Identification& result);
/// Torque errors on the part of the log that the fit did not see, one line per joint.
std::string errors_text(const Identification& result);
/// Masses before and after, and friction, rotor inertia and offset of each joint.
std::string values_text(const Identification& result);
/// The parameters that the log does not determine.
std::string undetermined_text(const Identification& result);
/// The base parameters with their 95 % intervals.
std::string intervals_text(const Identification& result);

/// A parameter file for a node: rotor inertias and contact thresholds; offsets as comments.
/// `options` has the rate of false alarms, `model` the order and the effort limits of joints.
std::string identification_parameters(const Model& model, const Identification& result,
                                      const IdentificationOptions& options);

}  // namespace spatial_dynamics::cli
