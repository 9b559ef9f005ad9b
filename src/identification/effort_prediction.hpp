// The efforts of a log beside those that the model predicts, for at most 500 samples.
#pragma once

#include "identification/log_evidence.hpp"

namespace spatial_dynamics {

/// Functions allocate.
class EffortPrediction {
 public:
  explicit EffortPrediction(const LogEvidence& evidence);

  /// Predicted efforts, one sample per column, with angles and their rates times `scale`.
  [[nodiscard]] MatrixXd predict(double scale) const;
  /// Measured efforts of one coordinate.
  [[nodiscard]] VectorXd measured(Index row) const;
  /// The same with a factor for each coordinate.
  [[nodiscard]] MatrixXd predict(const VectorXd& factors) const;
  /// Root mean square, over the joints with efforts, of residual divided by effort.
  [[nodiscard]] double residual_share(double scale) const;
  [[nodiscard]] double residual_share(const VectorXd& factors) const;

 private:
  /// `scale` for angles, 1 for lengths.
  [[nodiscard]] VectorXd of_angles(double scale) const;

  const LogEvidence& evidence_;
  Index stride_;  // between the samples that are compared
};

}  // namespace spatial_dynamics
