// Times of interleaved rounds and their statistics on a machine with other load.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace spatial_dynamics::cli {

/// Duration of `work`, ns.
template <typename Work>
double time_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// The quantile of this share.
inline double quantile(std::vector<double> values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

/// Median of a[i] / b[i], both measured in the same round under the same load.
inline double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return quantile(ratios, 0.5);
}

}  // namespace spatial_dynamics::cli
