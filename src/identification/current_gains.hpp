// Efforts per unit of a log whose efforts are currents.
#pragma once

#include <vector>

#include "identification/robot_equations.hpp"

namespace spatial_dynamics {

/// One factor per coordinate, 1 without effort. Least squares of  Y x + known = gain * current.
/// The factors have a common scale, which needs a known payload in one of several logs, or the
/// masses of the model. Throws LogError if neither determines it. Allocates.
VectorXd fit_current_gains(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort,
                           const BaseParameters& base, bool hold_masses);

}  // namespace spatial_dynamics
