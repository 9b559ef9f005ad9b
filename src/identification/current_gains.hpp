// Efforts per unit of a log whose efforts are currents.
#pragma once

#include <vector>

#include "identification/robot_equations.hpp"

namespace spatial_dynamics {

/// What determines the common scale of the factors.
struct KnownScale {
  bool payload = false;  ///< a known one in some of the logs, and not in others
  /// The model's masses. Where other parameters can take their effect, which is so for robots
  /// without prismatic joints, the average size of the model's torques takes their place.
  bool masses = false;
};

/// One factor per coordinate, 1 without effort. Least squares of  Y x + known = gain * current.
/// Throws LogError if nothing determines the scale. Allocates.
VectorXd fit_current_gains(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort,
                           const BaseParameters& base, const KnownScale& known);

}  // namespace spatial_dynamics
