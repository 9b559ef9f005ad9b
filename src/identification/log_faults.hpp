// Faults of a log or a model that no payload and no friction explains.
#pragma once

#include <string>

#include "identification/log_comparison.hpp"

namespace spatial_dynamics {

/// A sentence on the fault that explains the log: efforts that are zero, have the opposite sign,
/// lack gravity or are in another unit, a model in other units, or another direction of gravity.
/// Empty if there is none. Needs `predicted` and `joints` of the comparison. Allocates.
std::string log_fault(const Model& model, const LogSamples& samples,
                      const LogComparison& comparison);

}  // namespace spatial_dynamics
