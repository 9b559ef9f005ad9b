// Durations of repeated work, and their statistics on a machine with other load.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>  // clock_gettime (POSIX)
#include <vector>

namespace spatial_dynamics {

/// Processor time of this thread until now, ns.
inline double thread_time() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// Processor time of `work`, ns. Excludes the time in which the thread waits for a core: on a
/// machine with other load, long work would be interrupted more often than short work.
template <typename Work>
double time_of(const Work& work) {
  const double start = thread_time();
  work();
  return thread_time() - start;
}

/// The p-quantile (p from 0 to 1) of n values: the ceil(p n)-th in order, as in
/// HistogramSnapshot::quantile(). 0 if there are no values. Allocates.
inline double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0.0;
  const auto n = static_cast<double>(values.size());
  const double rank = std::clamp(std::ceil(p * n) - 1.0, 0.0, n - 1.0);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Median of a[i] / b[i], both measured in the same round under the same load. Allocates.
inline double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return quantile(ratios, 0.5);
}

}  // namespace spatial_dynamics
