// Thresholds for external torques that a free motion rarely reaches.
#pragma once

#include "identification/fit_samples.hpp"

namespace spatial_dynamics {

/// One threshold per coordinate, for residual torques (one column per sample) that are low-passed
/// as by the momentum observer. A Gaussian process with standard deviation s and f zero crossings
/// upwards per second crosses u upwards f exp(-u^2 / 2 s^2) times per second (Rice). The threshold
/// is the mean's magnitude and the u of the given rate, which all joints and both signs share, but
/// at least 1.1 times the largest residual. Allocates.
VectorXd contact_thresholds(const FitSamples& samples, const MatrixXd& residuals,
                            double false_alarms_per_hour);

}  // namespace spatial_dynamics
