#include "identification/log_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "identification/rate_ratio.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {

bool is_angle(const ScalarCoordinate& c) {
  return c.wraps || (c.type != JointType::kPrismatic && c.type != JointType::kPlanar);
}

bool velocity_is_rate(const ScalarCoordinate& c) { return c.type != JointType::kPlanar || c.wraps; }

LogEvidence::LogEvidence(const Model& robot, const RobotLog& recorded, const LogSamples& sampled)
    : model(robot),
      log(recorded),
      samples(sampled),
      coordinates(scalar_coordinates(robot)),
      step(median_step(recorded)) {
  ratios.resize(coordinates.size());
  if (log.v.size() == 0) return;
  for (const ScalarCoordinate& c : coordinates) {
    if (!velocity_is_rate(c)) continue;
    const VectorXd q = log.q.row(c.v), v = log.v.row(c.v);
    if (c.wraps && equals_rate_but_for_turns(log, q, v)) continue;
    ratios[to_size(c.v)] = rate_ratio(log, q, v);
  }
}

double LogEvidence::excess(const ScalarCoordinate& c, double scale) const {
  const JointLimits& limits = model.joint(c.joint).limits;
  if (c.type != JointType::kRevolute && c.type != JointType::kPrismatic) return 0.0;
  if (!(limits.lower < limits.upper)) return 0.0;
  return std::max({scale * log.q.row(c.v).maxCoeff() - limits.upper,
                   limits.lower - scale * log.q.row(c.v).minCoeff(), 0.0});
}

std::string LogEvidence::limits_text(const ScalarCoordinate& c, const std::string& unit) const {
  const JointLimits& limits = model.joint(c.joint).limits;
  return rounded_text(limits.lower) + " to " + rounded_text(limits.upper) + " " + unit;
}

std::string LogEvidence::range_text(const ScalarCoordinate& c) const {
  return rounded_text(log.q.row(c.v).minCoeff()) + " to " + rounded_text(log.q.row(c.v).maxCoeff());
}

}  // namespace spatial_dynamics
