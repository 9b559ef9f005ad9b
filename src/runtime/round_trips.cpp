#include "runtime/round_trips.hpp"

#include <algorithm>

#include "support/stopwatch.hpp"

namespace spatial_dynamics {

void RoundTrips::add_round(const std::vector<double>& durations) {
  round_medians.push_back(quantile(durations, 0.5));
  all.insert(all.end(), durations.begin(), durations.end());
}

std::vector<double> ratios_of_rounds(const RoundTrips& numerator, const RoundTrips& denominator) {
  std::vector<double> ratios;
  const std::size_t rounds =
      std::min(numerator.round_medians.size(), denominator.round_medians.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    const double above = numerator.round_medians[i], below = denominator.round_medians[i];
    if (above > 0.0 && below > 0.0) ratios.push_back(above / below);
  }
  return ratios;
}

}  // namespace spatial_dynamics
