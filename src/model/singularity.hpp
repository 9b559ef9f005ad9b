// Does the tree alone show that forces do not determine accelerations?
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Why forces do not determine accelerations.
struct Singularity {
  std::string element;  ///< "joint 'wrist'"
  std::string what;     ///< empty if they do
  std::string remedy;

  [[nodiscard]] std::string sentence() const { return what.empty() ? "" : what + "; " + remedy; }
};

/// Finds out if the mass matrix of this model is singular in every configuration. `child_links` names, per body, the link
/// whose frame the body has. Linear in bodies.
///
/// Without mimic joints the answer is exact up to rounding. With them it is only ever "singular" where that is certain.
Singularity find_singularity(const Model& model, const std::vector<std::string>& child_links);

}  // namespace spatial_dynamics
