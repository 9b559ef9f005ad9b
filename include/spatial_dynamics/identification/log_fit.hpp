// Estimates payload, friction and effort offsets from a log: least squares on the regressor of the
// inverse dynamics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/log_samples.hpp"

namespace spatial_dynamics {

struct LogFitOptions {
  Index link = kNoIndex;    ///< the link with the payload; kNoIndex: no payload is fitted
  bool rotational = false;  ///< fit the payload's rotational inertia too
  bool friction = false;    ///< fit damping and Coulomb friction of each joint
  bool offset = false;      ///< fit a constant error of each effort
  bool lag = false;         ///< fit the delay of efforts against states; needs filtered samples
};

/// A fitted correction to the model.
struct FitParameter {
  std::string name;  ///< "mass", "damping of joint 'elbow'"
  std::string unit;
  double value = 0.0;
  double deviation = 0.0;  ///< standard deviation
  bool determined = true;  ///< false: the log's motion does not determine it
  double in_model = 0.0;   ///< damping or friction of the model, which `value` corrects
};

struct LogFit {
  /// Payload (mass, three first moments, six inertias), then per joint, then the lag.
  std::vector<FitParameter> parameters;
  bool has_lag = false;  ///< the last parameter is the lag
  MatrixXd covariance;
  /// Efforts that the model does not explain, before and after the fit, per coordinate; 0 without
  /// efforts.
  VectorXd rms_before, rms_after;
  /// Share of the squared residual that the fit explains, joints weighted by their efforts; 0 to 1.
  double explained = 0.0;
  bool short_log = false;  ///< too short for reliable standard deviations
};

/// Fits what `options` selects. `model` contains the payload and friction known so far. Standard
/// deviations come from the scatter between blocks of the log, so they also hold for noise that is
/// correlated in time, such as filtered noise. Calls `progress` with the completed share.
/// Allocates.
LogFit fit_log(
    const Model& model, const LogSamples& samples, const LogFitOptions& options,
    const std::function<void(double share)>& progress = [](double) {});

/// The filter's error grows with its width: in proportion where Coulomb friction changes sign, with
/// the square elsewhere. A fit to samples whose window is wider by this factor therefore has at
/// least twice the error, and the error of the first fit is at most the difference of the two.
constexpr double kWiderWindow = 2.0;

/// Adds the filter's error to the deviations. The difference between the two fits counts as two
/// standard deviations.
void add_filter_error(LogFit& fit, const LogFit& wider);

/// fit_log(), with the filter's error added to the deviations: a second fit to samples with a wider
/// window estimates it. If the log is too short for that, LogFit::short_log is set. `samples` are
/// those of the log. Calls `progress` with the completed share. Allocates.
LogFit fit_with_filter_error(
    const Model& model, const RobotLog& log, const LogSamples& samples,
    const LogFitOptions& options,
    const std::function<void(double share)>& progress = [](double) {});

/// An interval that contains the true value in 95 % of cases, rounded to two digits of its
/// half-width.
struct FitInterval {
  double value = 0.0;
  double half_width = 0.0;  ///< 0: the value is exact, and not rounded
};
FitInterval interval_95(double value, double deviation);

/// The fitted lag, if it is determined and its interval does not contain zero; else null.
const FitParameter* significant_lag(const LogFit& fit);

}  // namespace spatial_dynamics
