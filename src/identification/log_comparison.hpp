// Compares a log's efforts with those that the model predicts, and suggests causes of differences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spatial_dynamics/identification/log_samples.hpp"

namespace spatial_dynamics {

/// Whether the model explains the efforts of a joint.
enum class Explanation {
  kYes,    ///< the residual is at most kExplainedShare of the measured efforts (both rms)
  kSmall,  ///< it is more, but below kResolution of the joint's effort limit
  kNo,
};
/// Models of real robots leave a few per cent; a wrong payload, friction or unit leaves more.
inline constexpr double kExplainedShare = 0.1;
/// Torque sensors and motor currents do not resolve less.
inline constexpr double kResolution = 5e-3;

/// A joint gets a hint only if its residual is above this share of its efforts, and above its
/// resolution.
inline constexpr double kGoodShare = 0.03;

/// One coordinate; N m or N.
struct JointResidual {
  std::string name;
  bool is_length = false;
  bool has_effort = false;
  double effort_rms = 0.0;    ///< measured
  double residual_rms = 0.0;  ///< measured minus predicted
  double residual_mean = 0.0;
  double residual_max = 0.0;  ///< largest magnitude
  /// kResolution of the effort limit; without a limit, of the largest measured efforts of a joint.
  double resolution = 0.0;

  /// Residual divided by measured effort; 1 if no effort was measured.
  [[nodiscard]] double share() const noexcept {
    return effort_rms > 0.0 ? residual_rms / effort_rms : residual_rms > 0.0 ? 1.0 : 0.0;
  }
  /// Of squared residuals, in comparisons of all joints.
  [[nodiscard]] double weight() const noexcept {
    return 1.0 / (effort_rms * effort_rms + resolution * resolution + 1e-12);
  }
  [[nodiscard]] bool is_unexplained() const noexcept {
    return has_effort && residual_rms > kGoodShare * effort_rms && residual_rms > resolution;
  }
  [[nodiscard]] Explanation explanation() const noexcept {
    return share() <= kExplainedShare   ? Explanation::kYes
           : residual_rms <= resolution ? Explanation::kSmall
                                        : Explanation::kNo;
  }
};

/// Hints use at most about twice as many samples, evenly spaced: they need no more, and fits are
/// slow.
inline constexpr Index kMostForHints = 5000;

struct LogComparison {
  MatrixXd predicted;  ///< efforts, one column per sample
  std::vector<JointResidual> joints;
  std::vector<std::string> hints;  ///< sentences: what would reduce residuals above 3 %
  /// The only hint is a fault that makes a fit meaningless: efforts that are zero, have the
  /// opposite sign, lack gravity or are in another unit, another direction of gravity, or a model
  /// in other units.
  bool fit_is_meaningless = false;
};

/// Calls `progress` with the completed share of the prediction. Allocates.
LogComparison compare_log(
    const Model& model, const LogSamples& samples,
    const std::function<void(double share)>& progress = [](double) {});

}  // namespace spatial_dynamics
