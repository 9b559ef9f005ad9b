// Positions that are not in metres or radians.
#include <algorithm>
#include <cmath>

#include "identification/effort_prediction.hpp"
#include "identification/log_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// Without other evidence the efforts alone show that the angles are in another unit: the residual
// in rad is above this share of the efforts, and that in the other unit below this share of it.
constexpr double kUnexplained = 0.5, kMuchBetter = 0.1;

/// Finds angles in degrees or revolutions.
class AngleUnitCheck {
 public:
  explicit AngleUnitCheck(const LogEvidence& evidence) : evidence_(evidence) {}

  [[nodiscard]] std::string problem() const {
    const Suspicion suspicion = suspect_degrees();
    const EffortPrediction prediction(evidence_);
    const double radians = prediction.residual_share(1.0),
                 degrees = prediction.residual_share(kDegree);
    const bool better =
        suspicion.strong ? degrees < radians : radians > 0.3 && degrees < 0.5 * radians;
    if (!suspicion.joint.empty() && better) {
      return sentence(
          "degrees", kDegree,
          suspicion.evidence + ", and the model explains the efforts better with degrees");
    }
    // A small motion stays within the limits in any unit.
    if (!(radians > kUnexplained)) return {};
    const double turns = prediction.residual_share(kTurn);
    const bool in_degrees = degrees < turns;
    const double least = std::min(degrees, turns);
    if (!(least < kMuchBetter * radians)) return {};
    const std::string unit = in_degrees ? "degrees" : "revolutions";
    return sentence(unit, in_degrees ? kDegree : kTurn,
                    "with " + unit + " the model leaves " + percent(least) +
                        " of the efforts unexplained, with radians " + percent(radians));
  }

 private:
  [[nodiscard]] static std::string sentence(const std::string& unit, double factor,
                                            const std::string& evidence) {
    return "the angles are in " + unit + ": " + evidence +
           "; multiply positions, velocities and accelerations of all angles by " +
           rounded_text(factor, 6) + ".";
  }
  [[nodiscard]] static std::string percent(double share) {
    return rounded_text(100.0 * share, 2) + " %";
  }

  /// Reasons to try degrees. Limits of a URDF may be wrong, joints may count turns, so that the
  /// efforts decide.
  struct Suspicion {
    std::string joint, evidence;
    bool strong = false;
  };
  [[nodiscard]] Suspicion suspect_degrees() const {
    Suspicion found;
    for (const ScalarCoordinate& c : evidence_.coordinates) {
      if (!is_angle(c)) continue;
      if (evidence_.excess(c, kDegree) > 20.0 * kDegree) return {};  // not in degrees either
      const double beyond = evidence_.excess(c, 1.0);
      const double limit = evidence_.model.joint(c.joint).limits.velocity;
      const double speed =
          evidence_.log.v.size() != 0 ? evidence_.log.v.row(c.v).lpNorm<Eigen::Infinity>() : 0.0;
      const std::string range =
          "the positions of " + joint_element(c.name) + " are from " + evidence_.range_text(c);
      if (beyond > 0.5 && !found.strong) {
        found = {c.name, range + ", its limits are " + evidence_.limits_text(c, "rad"),
                 beyond > 7.0};
      } else if (found.joint.empty() && c.wraps &&
                 evidence_.log.q.row(c.v).lpNorm<Eigen::Infinity>() > kTurn) {
        found = {c.name, range};
      } else if (found.joint.empty() && limit > 0.0 && speed > 3.0 * limit) {
        found = {c.name, "the velocity of " + joint_element(c.name) + " is up to " +
                             rounded_text(speed) + ", its limit is " + rounded_text(limit) +
                             " rad/s"};
      }
    }
    return found;
  }

  const LogEvidence& evidence_;
};

}  // namespace

std::string length_unit_problem(const LogEvidence& evidence) {
  for (const ScalarCoordinate& c : evidence.coordinates) {
    if (c.type != JointType::kPrismatic) continue;
    const JointLimits& limits = evidence.model.joint(c.joint).limits;
    const double size = std::max(std::abs(limits.lower), std::abs(limits.upper));
    if (evidence.excess(c, 1.0) < std::max(0.5, 2.0 * size) ||
        evidence.excess(c, 1e-3) > 0.1 * size)
      continue;
    return "the position of " + joint_element(c.name) + " is in millimetres: it is from " +
           evidence.range_text(c) + ", and the URDF's limits are " + evidence.limits_text(c, "m") +
           "; divide positions and velocities by 1000.";
  }
  return {};
}

std::string angle_unit_problem(const LogEvidence& evidence) {
  return AngleUnitCheck(evidence).problem();
}

}  // namespace spatial_dynamics
