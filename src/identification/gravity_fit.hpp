// Finds out from a log how a robot is mounted.
#pragma once

#include <string>

#include "identification/log_comparison.hpp"

namespace spatial_dynamics {

/// The gravity that explains most of the residual.
struct GravityFit {
  Vector3 gravity;         ///< in the frame of the root link, m/s^2
  double explained = 0.0;  ///< share of the squared residual, joints weighted by their efforts
};
/// Needs `predicted` and `joints` of the comparison. Allocates.
GravityFit fit_gravity(const Model& model, const LogSamples& samples,
                       const LogComparison& comparison);
/// A sentence with the option --gravity, if the robot is probably mounted in another direction than
/// the model; else empty. Allocates.
std::string mount_hint(const Model& model, const GravityFit& fit);

/// "--gravity 9.81,0,0"
std::string gravity_option(const Vector3& gravity);
/// "CAUSE would explain 95 % of the residual: is the robot on a wall or a ceiling? ..."
std::string mount_sentence(const std::string& cause, double explained, const Vector3& gravity);

}  // namespace spatial_dynamics
