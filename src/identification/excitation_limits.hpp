// The limits that an excitation keeps.
#pragma once

#include <string>
#include <vector>

#include "identification/fourier_motion.hpp"
#include "spatial_dynamics/identification/excitation.hpp"

namespace spatial_dynamics {

/// The allowed shares of the limits of one coordinate and of the mimic joints that follow it.
/// Throws std::invalid_argument for an empty range, or for a prismatic joint without limits.
ExcitationLimits excitation_limits(const Model& model, const ScalarCoordinate& c,
                                   const ExcitationOptions& options);

/// Throws std::invalid_argument if an option names a joint that is no coordinate.
void require_known_joints(const std::vector<ScalarCoordinate>& coordinates,
                          const ExcitationOptions& options);

}  // namespace spatial_dynamics
