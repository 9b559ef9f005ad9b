#include "identification/log_units.hpp"

namespace spatial_dynamics {

std::string unit_problem(const Model& model, const RobotLog& log, const LogSamples& samples) {
  const LogEvidence evidence(model, log, samples);
  for (const auto check : {time_unit_problem, rate_unit_problem, length_unit_problem,
                           angle_unit_problem, effort_unit_problem}) {
    std::string problem = check(evidence);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace spatial_dynamics
