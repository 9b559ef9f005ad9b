// Compares a log's efforts with those that the model predicts, and suggests causes of differences.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics {

/// One coordinate; N m or N.
struct JointResidual {
  std::string name;
  bool is_length = false;
  bool has_effort = false;
  double effort_rms = 0.0;    ///< measured
  double residual_rms = 0.0;  ///< measured minus predicted
  double residual_mean = 0.0;
  double residual_max = 0.0;  ///< largest magnitude
};

struct LogComparison {
  MatrixXd predicted;  ///< efforts, one column per sample
  std::vector<JointResidual> joints;
  std::vector<std::string> hints;  ///< sentences; empty: the model explains the log
};

/// Allocates.
LogComparison compare_log(const Model& model, const LogSamples& samples);

}  // namespace spatial_dynamics
