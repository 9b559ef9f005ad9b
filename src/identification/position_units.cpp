// Positions that are not in metres or radians.
#include <algorithm>
#include <cmath>
#include <vector>

#include "identification/effort_prediction.hpp"
#include "identification/log_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// Without other evidence the efforts alone show that the angles are in another unit: the residual
// in rad is above this share of the efforts, and that in the other unit below this share of it.
constexpr double kUnexplained = 0.5, kMuchBetter = 0.1;
// The model must explain the efforts with the other unit: its residual is at most this share of
// them. Otherwise the model is wrong, and no unit helps. Positions that exceed a limit by more than
// a turn need no such proof.
constexpr double kStillUnexplained = 0.5;

/// Finds angles in degrees or revolutions.
class AngleUnitCheck {
 public:
  explicit AngleUnitCheck(const LogEvidence& evidence) : evidence_(evidence) {}

  [[nodiscard]] std::string problem() const {
    const Suspicion suspicion = suspect_degrees();
    const EffortPrediction prediction(evidence_);
    const double radians = prediction.residual_share(1.0);
    double degrees = prediction.residual_share(kDegree);
    std::string only;  // the one joint in degrees
    for (const ScalarCoordinate* const c : suspicion.joints) {
      VectorXd factors = VectorXd::Ones(evidence_.model.nv());
      factors(c->v) = kDegree;
      const double share = prediction.residual_share(factors);
      if (share >= degrees) continue;
      degrees = share;
      only = c->name;
    }
    const bool better =
        suspicion.strong ? degrees < radians
                         : radians > 0.3 && degrees < 0.5 * radians && degrees < kStillUnexplained;
    if (!suspicion.joints.empty() && better) {
      return sentence(
          "degrees", kDegree,
          suspicion.evidence + ", and the model explains the efforts better with degrees", only);
    }
    // A small motion stays within the limits in any unit.
    if (!(radians > kUnexplained)) return {};
    degrees = prediction.residual_share(kDegree);
    const double turns = prediction.residual_share(kTurn);
    const bool in_degrees = degrees < turns;
    const double least = std::min(degrees, turns);
    if (!(least < kMuchBetter * radians && least < kStillUnexplained)) return {};
    const std::string unit = in_degrees ? "degrees" : "revolutions";
    return sentence(unit, in_degrees ? kDegree : kTurn,
                    "with " + unit + " the model leaves " + percent(least) +
                        " of the efforts unexplained, with radians " + percent(radians));
  }

 private:
  /// `only`: the one joint in this unit; empty: all.
  [[nodiscard]] static std::string sentence(const std::string& unit, double factor,
                                            const std::string& evidence,
                                            const std::string& only = "") {
    return (only.empty() ? "the angles are in "
                         : "the angles of " + joint_element(only) + " alone are in ") +
           unit + ": " + evidence + "; multiply " +
           (only.empty() ? "positions, velocities and accelerations of all angles"
                         : "its positions, velocities and accelerations") +
           " by " + rounded_text(factor, 6) + ".";
  }
  [[nodiscard]] static std::string percent(double share) {
    return rounded_text(100.0 * share, 2) + " %";
  }

  /// Reasons to try degrees. Limits of a URDF may be wrong, joints may count turns, so that the
  /// efforts decide.
  struct Suspicion {
    std::vector<const ScalarCoordinate*> joints;
    std::string evidence;  // of one of them
    bool strong = false;

    void add(const ScalarCoordinate& joint, const std::string& why, bool is_strong = false) {
      if (joints.empty() || (is_strong && !strong)) evidence = why;
      joints.push_back(&joint);
      strong = strong || is_strong;
    }
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
      if (beyond > 0.5) {
        found.add(c, range + ", its limits are " + evidence_.limits_text(c, "rad"), beyond > 7.0);
      } else if (c.wraps && evidence_.log.q.row(c.v).lpNorm<Eigen::Infinity>() > kTurn) {
        found.add(c, range);
      } else if (limit > 0.0 && speed > 3.0 * limit) {
        found.add(c, "the velocity of " + joint_element(c.name) + " is up to " +
                         rounded_text(speed) + ", its limit is " + rounded_text(limit) + " rad/s");
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
