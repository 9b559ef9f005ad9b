// Faults of the model that predict far larger efforts than the robot has.
#pragma once

#include <string>

#include "identification/log_comparison.hpp"

namespace spatial_dynamics {

/// A sentence if the model predicts efforts that the robot cannot have, with the probable unit of
/// its lengths, masses or inertias; else empty. Allocates.
std::string model_fault(const Model& model, const LogSamples& samples,
                        const LogComparison& comparison);

/// The joint whose predicted efforts exceed its effort limit most, and how many times; kNoIndex and
/// 0 without limits.
struct EffortExcess {
  Index row = kNoIndex;
  double times = 0.0;
};
EffortExcess effort_excess(const Model& model, const LogSamples& samples, const MatrixXd& efforts);

/// More than this many times: no motion of the real robot needs such efforts.
inline constexpr double kImpossibleEffort = 5.0;

}  // namespace spatial_dynamics
