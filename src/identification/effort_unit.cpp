// Efforts that are not in N m or N.
#include <cmath>

#include "identification/effort_prediction.hpp"
#include "identification/log_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {

/// All joints measure far more than predicted, and those with the largest efforts about 1000
/// times as much. A single one may have a wrong torque constant.
std::string effort_unit_problem(const LogEvidence& evidence) {
  const EffortPrediction prediction(evidence);
  const MatrixXd predicted = prediction.predict(1.0);
  const double largest = predicted.rowwise().norm().maxCoeff();
  std::string name;
  double scale = 0.0;
  for (const ScalarCoordinate& c : evidence.coordinates) {
    const VectorXd expected = predicted.row(c.v);
    const double size = expected.norm();
    if (!evidence.samples.has_effort[to_size(c.v)] || size == 0.0) continue;
    const VectorXd effort = prediction.measured(c.v);
    if (effort.norm() < 100.0 * size) return {};
    if (size < 0.2 * largest) continue;
    const double ratio = expected.dot(effort) / (size * size);
    if (ratio < 300.0 || ratio > 3000.0 || ratio * size < 0.8 * effort.norm()) return {};
    if (name.empty()) scale = ratio;
    if (name.empty()) name = c.name;
  }
  if (name.empty()) return {};
  return "the efforts are in mN m (mN): those of " + joint_element(name) + " are " +
         rounded_text(scale) + " times those that the model predicts, and those of the other " +
         "joints are too large, too; divide them by 1000.";
}

}  // namespace spatial_dynamics
