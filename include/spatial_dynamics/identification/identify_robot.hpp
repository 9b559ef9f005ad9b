// Identifies a whole robot from its log: masses, centres of mass, inertias, friction, rotor
// inertias and effort offsets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/base_parameters.hpp"
#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

struct IdentificationOptions {
  ParameterOptions parameters;  ///< which parameters of joints are estimated
  /// Expected relative error of the model's inertias. It decides only where the log does not.
  double inertia_error = 0.5;
  double window_s = 0.0;   ///< width of the filter; 0: 0.1 s, or 15 samples if they take longer
  double held_out = 0.25;  ///< share at the end of each log that judges the fit
  /// False alarms per hour of all contact thresholds together, in motions like those of the log.
  double false_alarms_per_hour = 0.1;
};

/// A combination of parameters that the efforts determine, by weighted least squares alone: without
/// the model's values and without physical consistency.
struct BaseEstimate {
  std::string name;  ///< "Ixx of link 'a' + 0.09 mass of link 'b'"
  double in_model = 0.0, value = 0.0;
  double deviation = 0.0;  ///< standard deviation, corrected for noise that is correlated in time
  bool determined = true;  ///< false: the log's motion does not determine it
};

/// A parameter of the physically consistent fit.
struct IdentifiedParameter {
  RobotParameter parameter;
  double value = 0.0;
  /// Uncertainty that the log leaves, relative to that of the model alone; 0 to 1.
  double uncertainty = 0.0;
  /// The log determines it: the uncertainty is below a half.
  bool determined = true;
};

struct IdentifiedBody {
  Index body = 0;
  std::string link;  ///< whose frame the inertias have
  Inertia before = Inertia::Zero(), after = Inertia::Zero();
};

/// One coordinate; N m or N.
struct IdentifiedJoint {
  std::string name;
  Index coordinate = 0;  ///< index into v
  bool is_length = false;
  bool has_effort = false;
  double damping = 0.0, friction = 0.0, armature = 0.0, offset = 0.0;
  double gain = 1.0;   ///< effort per recorded number; 1 unless the efforts are currents
  double noise = 0.0;  ///< root mean square of what the fit leaves, low-passed by the filter
  /// Root mean square of the torque errors on the part of the log that the fit did not see,
  /// low-passed, of a fit to the rest; and of the efforts there.
  double error_before = 0.0, error_after = 0.0, effort_rms = 0.0;
  /// External torque that noise and the model's remaining errors reach about as often as
  /// IdentificationOptions::false_alarms_per_hour. 0 without effort.
  double contact_threshold = 0.0;
};

/// Efforts of the part of the log that the fit did not see, for a picture. One column per sample.
struct UnseenEfforts {
  std::vector<double> time;
  MatrixXd measured, before, after;
};

struct Identification {
  std::vector<BaseEstimate> base;
  std::vector<IdentifiedParameter> parameters;
  std::vector<IdentifiedBody> bodies;
  std::vector<IdentifiedJoint> joints;
  double lag_s = 0.0, lag_deviation_s = 0.0;  ///< of efforts behind states
  double condition = 0.0;  ///< of the scaled equations: 1 is best, above about 1000 is poor
  double window_s = 0.0;
  Index samples = 0, unseen_samples = 0;  ///< of the fit, at the filter's rate
  UnseenEfforts unseen;
};

/// Called with the name of a step and its completed share.
using IdentificationProgress = std::function<void(const char* step, double share)>;

/// Estimates the robot's parameters. `model` has the URDF's values; its payloads are known. Steps:
/// velocities and accelerations by local polynomials (zero phase), base parameters by weighted
/// least squares with one noise per joint and a common lag of the efforts, then all parameters,
/// physically consistent and near the model where the log does not determine them. Deterministic.
/// Allocates. Throws LogError for a log that can't be used, with the reason and the remedy.
Identification identify_robot(
    const Model& model, const RobotLog& log, const IdentificationOptions& options = {},
    const IdentificationProgress& progress = [](const char*, double) {});

}  // namespace spatial_dynamics
