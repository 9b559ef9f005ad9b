// Writes the report on a model that was built.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "joint_motion.hpp"
#include "link_tree.hpp"
#include "singularity.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// Where the parts of a model came from.
struct Origins {
  std::vector<std::size_t>
      description;  ///< per body: its joint in the description; kNone for those without one
  std::vector<std::string>
      frame_link;  ///< per body: the link whose frame it has; "world" where there is none
};

/// All but the findings.
ModelReport describe_model(const Model& model, const Origins& origins,
                           const std::vector<JointDescription>& joints,
                           const std::vector<JointMotion>& motions);

/// What an engineer should know of before trusting the model: moving bodies without mass, limits that are missing or zero,
/// a singular mass matrix.
void find_oddities(const Model& model, const Origins& origins, const Singularity& singularity,
                   std::vector<Finding>& findings);

/// What find_oddities() took for a part of a composed joint is a real link where it, or one that is fixed to it, has a shape: makes
/// it a warning.
void warn_of_weightless_shapes(const Model& model, const std::vector<std::string>& shaped_links,
                               std::vector<Finding>& findings);

}  // namespace spatial_dynamics
