// Detects mass matrices that are singular in every configuration.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// The reason why forces do not determine accelerations.
struct Singularity {
  std::string element;  ///< "joint 'wrist'"
  std::string what;     ///< empty if the mass matrix is not singular
  std::string remedy;

  [[nodiscard]] std::string sentence() const { return what.empty() ? "" : what + "; " + remedy; }
};

/// Determines whether the mass matrix of this model is singular in every configuration.
/// `child_links` names, per body, the link whose frame the body has. Linear in bodies.
///
/// Without mimic joints the result is exact up to rounding. With mimic joints some singular models
/// are not detected.
Singularity find_singularity(const Model& model, const std::vector<std::string>& child_links);

}  // namespace spatial_dynamics
