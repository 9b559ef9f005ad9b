// Efforts per unit of a log whose efforts are currents.
#pragma once

#include <vector>

#include "identification/robot_equations.hpp"

namespace spatial_dynamics {

/// One factor per coordinate, 1 without effort. Least squares of  Y x + known = gain * current,
/// with as many base parameters x as `rank`. `known_payload`: some of the logs have a known
/// payload, and others do not, which determines the scale. Throws LogError if nothing does.
/// Allocates.
VectorXd fit_current_gains(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort,
                           Index rank, bool known_payload);

}  // namespace spatial_dynamics
