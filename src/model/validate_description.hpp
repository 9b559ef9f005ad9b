// Checks every number and name of a description before anything is computed from it.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"
#include "validate_inertia.hpp"

namespace spatial_dynamics {

/// Rejects a name that is empty, not UTF-8, or holds control characters. `kind` is "link", "joint",
/// "robot".
void require_valid_name(const std::string& kind, const std::string& name);

/// Rejects names that are empty, not UTF-8 or hold control characters, and invalid mass properties.
/// Violations of the triangle inequality are errors with options.strict and findings otherwise.
/// Returns the links; impossible inertias are errors with options.strict, otherwise they are zero
/// in the result and appended to `impossible`.
std::vector<LinkDescription> validate_links(const std::vector<LinkDescription>& links,
                                            const BuildOptions& options,
                                            std::vector<Finding>& findings,
                                            std::vector<ImpossibleInertia>& impossible);

/// Rejects bad names and numbers. Returns the joints with axes of unit length, unlimited limits as
/// infinity, and the armature of the options.
std::vector<JointDescription> validate_joints(const std::vector<JointDescription>& joints,
                                              const BuildOptions& options,
                                              std::vector<Finding>& findings);

/// Gravity, friction speed and payloads. (Armature and locked joints are checked where they are
/// applied.)
void validate_options(const BuildOptions& options, const std::vector<LinkDescription>& links,
                      std::vector<Finding>& findings);

}  // namespace spatial_dynamics
