// Fits payload, friction and effort offsets to a log: least squares on the regressor of the inverse dynamics.
#pragma once

#include <string>

#include "replay_samples.hpp"

namespace spatial_dynamics::cli {

struct FitOptions {
  Index link = kNoIndex;    ///< that carries the payload; kNoIndex: none is fitted
  bool rotational = false;  ///< the payload's rotational inertia too
  bool friction = false;    ///< damping and Coulomb friction of each joint
  bool offset = false;      ///< a constant error of each effort
  bool lag = false;         ///< by how much efforts come later than states; needs filtered samples
};

/// What was fitted, as a correction to the model.
struct FitParameter {
  std::string name;  ///< "mass", "damping of joint 'elbow'"
  std::string unit;
  double value = 0.0;
  double deviation = 0.0;  ///< standard deviation
  bool determined = true;  ///< false: the log's motion does not tell it
};

struct Fit {
  std::vector<FitParameter>
      parameters;  ///< payload (mass, three first moments, six inertias), then per joint, then the lag
  bool has_lag = false;  ///< the last parameter is the lag
  MatrixXd covariance;
  VectorXd rms_before,
      rms_after;  ///< of what the model leaves of the efforts, per coordinate; 0 without efforts
  /// Share of the residual that the fit explains, joints weighted by their efforts; 0 to 1.
  double explained = 0.0;
  bool short_log = false;  ///< too short for deviations that deserve trust
};

/// `model` has the payload and friction known so far. Standard deviations come from the scatter of blocks of the log, so that
/// they hold for noise that is correlated in time, as filtered noise is. Allocates.
Fit fit_log(const Model& model, const Samples& samples, const FitOptions& options);

/// What a filter rounds off grows with its width, where friction turns in proportion and elsewhere with the square, so that a fit
/// to samples of a window that is wider by this factor is off by twice as much or more: the first one is off by their difference at
/// most.
constexpr double kWiderWindow = 2.0;

/// Widens the deviations by that difference, which counts as two of them.
void allow_for_filter(Fit& fit, const Fit& wider);

/// A payload in the link's frame with standard deviations, from the first four (or ten) parameters of a fit.
struct FittedPayload {
  double mass = 0.0, mass_deviation = 0.0;
  Vector3 com = Vector3::Zero(), com_deviation = Vector3::Zero();
  Matrix3 inertia_about_com = Matrix3::Zero();
  bool determined = true;    ///< mass and centre of mass
  bool significant = false;  ///< the mass differs from zero by more than twice its deviation
  bool present = false;  ///< it does, or another parameter by more than chance makes of one in nine
  bool without_effect = true;  ///< no effort depends on what the link carries
};
FittedPayload fitted_payload(const Fit& fit, bool rotational);

/// Whether mass and first moments are too small to matter to such a robot, however well a log tells them from zero.
bool is_negligible(const FittedPayload& payload, const Model& model);

}  // namespace spatial_dynamics::cli
