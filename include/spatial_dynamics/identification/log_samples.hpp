// States with velocities and accelerations, from a log that may lack them.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// One column per sample. SI units.
struct LogSamples {
  std::vector<double> time;
  MatrixXd q, v, a, effort;
  MatrixXd effort_rate;              ///< time derivative of the efforts; empty without the filter
  std::vector<bool> has_effort;      ///< per coordinate
  std::string filter;                ///< description of the filter; "none" if not needed
  double window_s = 0.0;             ///< width of the filter; 0: none
  std::vector<LogSegment> segments;  ///< those of the log that have samples
  LogExclusions exclusions;          ///< what the log left out, and `beside`

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

/// Returns the log's own numbers if it has velocities and accelerations and `window_s` is 0.
/// Otherwise filters: around each sample, a quadratic in time is fitted to all samples within half
/// the window before and after it (zero phase). It is fitted to velocities if the log has them,
/// otherwise to positions, and also to efforts. Samples whose window is not full, reaches beyond
/// the segment or holds an excluded sample are left out. `window_s` 0 means 0.05 s, or nine samples
/// if they take longer. Allocates; throws LogError if no sample is left.
LogSamples make_samples(const RobotLog& log, double window_s);

}  // namespace spatial_dynamics
