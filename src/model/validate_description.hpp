// Checks every number and name of a description before anything is computed from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// Rejects a name that is empty, not UTF-8, or holds control characters. `kind` is "link", "joint",
/// "robot".
void require_valid_name(const std::string& kind, const std::string& name);

/// A link's inertia that no body can have: a negative moment, or an inertia without mass.
struct ImpossibleInertia {
  std::size_t link = 0;  ///< index in the description
  std::string what;      ///< error and remedy, as the end of a sentence: "an inertia …; …"
  double moment = 0.0;   ///< the largest magnitude of its principal moments, kg m^2
};

/// Rejects names that are empty, not UTF-8 or hold control characters, and invalid mass properties.
/// Violations of the triangle inequality are errors with options.strict and findings otherwise.
/// Returns the links; impossible inertias are errors with options.strict, otherwise they are zero
/// in the result and appended to `impossible`.
std::vector<LinkDescription> validate_links(const std::vector<LinkDescription>& links,
                                            const BuildOptions& options,
                                            std::vector<Finding>& findings,
                                            std::vector<ImpossibleInertia>& impossible);

/// Rejects impossible inertias, except those of links that are fixed to the world and those that
/// are negligible beside the body that the link is part of: these are findings. `model_link` has
/// the model's index of each link of the description.
void settle_impossible_inertias(const std::vector<ImpossibleInertia>& impossible,
                                const Model& model, const std::vector<Index>& model_link,
                                std::vector<Finding>& findings);

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
