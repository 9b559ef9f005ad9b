#include "identification/contact_thresholds.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr double kAboveLargest = 1.1;

/// Zero crossings upwards per second of one row about its mean.
double crossings_per_second(const FitSamples& samples, const VectorXd& residual, double mean) {
  double crossings = 0.0, seconds = 0.0;
  for (Index i = 1; i < samples.size(); ++i) {
    if (samples.run[to_size(i)] != samples.run[to_size(i - 1)]) continue;
    seconds += samples.time[to_size(i)] - samples.time[to_size(i - 1)];
    if (residual(i - 1) < mean && residual(i) >= mean) crossings += 1.0;
  }
  return seconds > 0.0 ? crossings / seconds : 0.0;
}

}  // namespace

VectorXd contact_thresholds(const FitSamples& samples, const MatrixXd& residuals,
                            double false_alarms_per_hour) {
  VectorXd thresholds(residuals.rows());
  for (Index k = 0; k < residuals.rows(); ++k) {
    const VectorXd row = residuals.row(k);
    const double mean = row.mean(), deviation = std::sqrt((row.array() - mean).square().mean());
    const double per_hour = 3600.0 * crossings_per_second(samples, row, mean);
    const double share = false_alarms_per_hour / (2.0 * static_cast<double>(residuals.rows()));
    const double u = deviation * std::sqrt(2.0 * std::log(std::max(1.0, per_hour / share)));
    thresholds(k) = std::max(std::abs(mean) + u, kAboveLargest * row.cwiseAbs().maxCoeff());
  }
  return thresholds;
}

}  // namespace spatial_dynamics
