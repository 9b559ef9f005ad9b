// Checks mass properties before anything is computed from them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// A link's inertia that no body can have: a negative moment, or an inertia without mass.
struct ImpossibleInertia {
  std::size_t link = 0;  ///< index in the description
  std::string what;      ///< the end of a sentence: "an inertia but no mass"
  std::string remedy;    ///< "give it a mass, or …"
  double moment = 0.0;   ///< the largest magnitude of its principal moments, kg m^2
};

/// Rejects mass properties with invalid numbers. Returns an impossible inertia, for link 0: the
/// caller rejects it, or sets it to zero. Other violations of the triangle inequality are errors if
/// `strict` and findings otherwise; a finding reports an inertia that is too large for its mass.
std::optional<ImpossibleInertia> validate_mass_properties(const std::string& element,
                                                          const MassProperties& mass_properties,
                                                          bool strict,
                                                          std::vector<Finding>& findings);

/// Throws the ModelError for an impossible inertia.
[[noreturn]] void reject_inertia(const std::string& element, const ImpossibleInertia& inertia);

/// Rejects impossible inertias, except those of links that are fixed to the world and those that
/// are negligible beside the body that the link is part of: these are findings. `model_link` has
/// the model's index of each link of the description.
void settle_impossible_inertias(const std::vector<ImpossibleInertia>& impossible,
                                const Model& model, const std::vector<Index>& model_link,
                                std::vector<Finding>& findings);

}  // namespace spatial_dynamics
