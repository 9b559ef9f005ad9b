// From a log to states that a model can be asked about: velocities and accelerations where the log has none, by a stated filter.
#pragma once

#include <string>

#include "replay_log.hpp"

namespace spatial_dynamics::cli {

/// One column per sample. SI units.
struct Samples {
  std::vector<double> time;
  MatrixXd q, v, a, effort;
  MatrixXd effort_rate;          ///< change of the efforts per second; empty without the filter
  std::vector<bool> has_effort;  ///< per coordinate
  std::string filter;            ///< in words; "none" where the log had everything
  double window_s = 0.0;         ///< width of the filter; 0: none

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

/// Where the log has accelerations and `window_s` is 0, its own numbers. Else around each sample a quadratic in time is fitted to
/// all samples within half the window, before and after (zero phase), to velocities where the log has them, else to positions, and
/// to efforts, which are so smoothed alike. Samples at the ends and beside gaps, where the window is not full, are left out.
/// `window_s` 0: 0.05 s, or nine samples if they take longer. Allocates; throws LogError if nothing is left.
Samples make_samples(const Log& log, double window_s);

}  // namespace spatial_dynamics::cli
