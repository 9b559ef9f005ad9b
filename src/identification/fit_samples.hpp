// Samples for a fit of all parameters: derivatives and low-passed efforts of a log.
#pragma once

#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// One column per sample. The samples are farther apart than those of the log, because the filter
/// leaves no more information. SI units.
struct FitSamples {
  std::vector<double> time;
  std::vector<std::size_t> source;  ///< of each sample, index into RobotLog::sources
  std::vector<Index> run;           ///< of each sample: samples of one run are equally far apart
  MatrixXd q, v, a, effort;
  /// Direction of Coulomb friction, low-passed as the efforts are: it changes within a window.
  MatrixXd direction;

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

/// States at every sample of the log whose window is full, for predictions at the log's own rate.
struct DerivedStates {
  std::vector<Index> sample;  ///< index into the log
  std::vector<Index> run;     ///< samples of one run follow each other without a gap
  MatrixXd q, v, a;

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(sample.size()); }
};

/// The default width of the filter, s: 0.1, or 15 samples if they take longer.
double fit_window(const RobotLog& log);

/// Around each sample a polynomial of fourth degree in time is fitted to the positions within half
/// the window before and after it (zero phase); velocity and acceleration are its derivatives.
/// Recorded velocities and accelerations are not used. Throws LogError if no window is full.
/// Allocates.
DerivedStates derive_states(const RobotLog& log, double window_s);

/// Samples at a quarter of the window from each other. Efforts and the direction of friction are
/// the values of the same polynomials; those of efforts are taken `lag_s` later. Allocates.
FitSamples make_fit_samples(const RobotLog& log, const DerivedStates& states, double window_s,
                            double friction_speed, double lag_s);

}  // namespace spatial_dynamics
