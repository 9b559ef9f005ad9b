// Faults of measured efforts that no payload and no friction explains, and that would falsify a
// fit: zeros, opposite signs, another unit.
#pragma once

#include <string>
#include <vector>

#include "identification/log_comparison.hpp"

namespace spatial_dynamics {

// Allocate. Joints whose efforts the model explains are ignored.

/// Names the joints whose efforts are all zero. Empty if there are none.
std::string zero_efforts(const LogComparison& comparison);

/// Efforts of some joints have the opposite sign of the predicted ones.
struct OppositeSigns {
  std::string sentence;       ///< empty if there are none
  double left = 1.0;          ///< share of the residual that remains when the signs are corrected
  std::vector<double> signs;  ///< per coordinate: -1 for these joints, +1 for the others
};
OppositeSigns opposite_signs(const LogSamples& samples, const LogComparison& comparison);

/// Names the joints whose efforts are a large multiple of the predicted ones, and larger than the
/// joint can have: its effort limit, or without a limit ten times the efforts of other joints.
/// Empty if there are none.
std::string single_factors(const Model& model, const LogSamples& samples,
                           const LogComparison& comparison);

/// The efforts of all unexplained joints, at least two, are the same multiple of the predicted
/// ones: more than 1.5 times, or less than 1/1.5.
struct CommonFactor {
  std::string sentence;  ///< empty if no factor explains the efforts
  double left = 1.0;     ///< share of the residual that remains when the factor is corrected
};
CommonFactor common_factor(const LogSamples& samples, const LogComparison& comparison);

}  // namespace spatial_dynamics
