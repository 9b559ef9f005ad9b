// How well a model explains a log, and what could be wrong where it does not.
#pragma once

#include <string>

#include "replay_samples.hpp"

namespace spatial_dynamics::cli {

/// One coordinate; N m or N.
struct JointResidual {
  std::string name;
  bool is_length = false;
  bool has_effort = false;
  double effort_rms = 0.0;    ///< measured
  double residual_rms = 0.0;  ///< measured less predicted
  double residual_mean = 0.0;
  double residual_max = 0.0;  ///< largest magnitude
};

struct Replay {
  MatrixXd predicted;  ///< one column per sample
  std::vector<JointResidual> joints;
  std::vector<std::string> hints;  ///< sentences; empty: the model explains the log
};

/// Allocates.
Replay replay(const Model& model, const Samples& samples);

}  // namespace spatial_dynamics::cli
