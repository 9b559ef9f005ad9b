// Estimates payload, friction and effort offsets from a log: least squares on the regressor of the
// inverse dynamics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

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

/// A payload in the link's frame with standard deviations, from the first four (or ten) parameters
/// of a fit.
struct FittedPayload {
  double mass = 0.0, mass_deviation = 0.0;
  Vector3 com = Vector3::Zero(), com_deviation = Vector3::Zero();
  Matrix3 inertia_about_com = Matrix3::Zero();
  bool determined = true;      ///< mass and centre of mass
  bool significant = false;    ///< the mass differs from zero by more than two deviations
  bool present = false;        ///< significant, or another parameter differs by more than four
  bool without_effect = true;  ///< no effort depends on the link's payload
};
FittedPayload fitted_payload(const LogFit& fit, bool rotational);

/// True if mass and first moments are too small to matter for this robot, however precisely the log
/// determines them.
bool is_negligible(const FittedPayload& payload, const Model& model);

}  // namespace spatial_dynamics
