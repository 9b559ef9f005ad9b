// Finds logs whose numbers are not in SI units.
#pragma once

#include <string>

#include "identification/log_evidence.hpp"

namespace spatial_dynamics {

/// A sentence with the column, the evidence and the correction if the log is not in SI units:
/// - time in milliseconds, microseconds or nanoseconds, from its steps and from velocities;
/// - velocities (or accelerations) that are not the rate of change of positions (or velocities):
///   degrees, millimetres, revolutions or the opposite sign;
/// - angles in degrees, from position limits, velocity limits and turns, if the model then
///   predicts the efforts better;
/// - lengths in millimetres, from position limits;
/// - efforts in mN m or mN, from the predicted efforts.
/// Empty if the evidence is not sufficient. `samples` are those of the log. Allocates.
std::string unit_problem(const Model& model, const RobotLog& log, const LogSamples& samples);

// The checks, in the order in which unit_problem() makes them. Each returns a sentence or an empty
// text, and allocates.
std::string time_unit_problem(const LogEvidence& evidence);
std::string rate_unit_problem(const LogEvidence& evidence);
std::string length_unit_problem(const LogEvidence& evidence);
std::string angle_unit_problem(const LogEvidence& evidence);
std::string effort_unit_problem(const LogEvidence& evidence);

}  // namespace spatial_dynamics
