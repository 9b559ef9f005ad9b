// Fills the report of a model that was built.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "joint_role.hpp"
#include "link_tree.hpp"
#include "singularity.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// Data of the description for each body of a model.
struct Origins {
  std::vector<std::size_t> description;  ///< index of its joint; kNone if it has none
  std::vector<std::string> frame_link;   ///< the link whose frame it has; "world" if none
  std::vector<bool> has_shape;           ///< one of its links has a <visual> or <collision>
};

/// The report without its findings.
ModelReport describe_model(const Model& model, const Origins& origins,
                           const std::vector<JointDescription>& joints,
                           const std::vector<JointRole>& roles);

/// Appends what a user should check in the model: moving bodies without mass, missing or zero
/// limits, a singular mass matrix.
void add_findings(const Model& model, const Origins& origins, const Singularity& singularity,
                  std::vector<Finding>& findings);

}  // namespace spatial_dynamics
