// Velocities and accelerations that are not the rates of change of positions and velocities.
#include <array>
#include <cmath>

#include "identification/log_units.hpp"
#include "identification/rate_ratio.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// A ratio of rates and what it means: the name of the unit, and the factor to SI units.
struct RatioCause {
  double ratio;
  bool of_angle;
  bool wrong_rate;  // the rate is wrong, not the quantity whose rate it is
  const char* unit;
  const char* correction;
};
// The units are those of positions and velocities; those of accelerations follow.
constexpr std::array<RatioCause, 8> kRatioCauses{
    {{1.0 / kDegree, true, false, "degrees", "multiply by 0.0174533"},
     {kDegree, true, true, "degrees per second", "multiply by 0.0174533"},
     {kTurn / 60.0, true, true, "revolutions per minute", "multiply by 0.10472"},
     {1.0 / kTurn, true, false, "revolutions", "multiply by 6.28319"},
     {kTurn, true, true, "revolutions per second", "multiply by 6.28319"},
     {1e3, false, false, "millimetres", "divide by 1000"},
     {1e-3, false, true, "millimetres per second", "divide by 1000"},
     {-1.0, true, true, "the opposite direction", "change the sign"}}};

/// Compares rates of change with the logged rates.
class RateUnitCheck {
 public:
  explicit RateUnitCheck(const LogEvidence& evidence) : evidence_(evidence) {}

  /// The first joint with a wrong ratio.
  [[nodiscard]] std::string velocity_problem() const {
    for (const ScalarCoordinate& c : evidence_.coordinates) {
      const std::optional<double>& ratio = evidence_.ratios[to_size(c.v)];
      if (!ratio.has_value() || (*ratio > 0.4 && *ratio < 2.5)) continue;
      return wrong_ratio_text(c, *ratio);
    }
    return {};
  }

  /// Only known factors: at stops, accelerations are not the rate of velocities.
  [[nodiscard]] std::string acceleration_problem() const {
    if (evidence_.log.a.size() == 0 || evidence_.log.v.size() == 0) return {};
    for (const ScalarCoordinate& c : evidence_.coordinates) {
      if (!velocity_is_rate(c)) continue;
      const std::optional<double> ratio =
          rate_ratio(evidence_.log, evidence_.log.v.row(c.v), evidence_.log.a.row(c.v));
      if (!ratio.has_value()) continue;
      const RatioCause* const cause = cause_of(c, *ratio);
      if (cause == nullptr || !cause->wrong_rate) continue;
      return "the acceleration of " + joint_element(c.name) + " is in " + cause->unit +
             (cause->ratio < 0.0 ? "" : " squared") + ": the rate of change of the velocity is " +
             rounded_text(*ratio) + " times the acceleration; " + cause->correction +
             ", and check the other joints.";
    }
    return {};
  }

 private:
  [[nodiscard]] static const RatioCause* cause_of(const ScalarCoordinate& c, double ratio) {
    for (const RatioCause& cause : kRatioCauses) {
      if ((cause.of_angle == is_angle(c) || cause.ratio < 0.0) && is_near(ratio, cause.ratio)) {
        return &cause;
      }
    }
    return nullptr;
  }

  [[nodiscard]] static std::string wrong_ratio_text(const ScalarCoordinate& c, double ratio) {
    const std::string joint = joint_element(c.name),
                      evidence = "the rate of change of the position is " + rounded_text(ratio) +
                                 " times the velocity";
    const RatioCause* const cause = cause_of(c, ratio);
    if (cause == nullptr) {
      return "position and velocity of " + joint + " are in different units: " + evidence +
             "; convert both to SI units, or leave the velocities of all joints out.";
    }
    return std::string(cause->wrong_rate ? "the velocity of " : "the position of ") + joint +
           " is in " + cause->unit + ": " + evidence + "; " + cause->correction +
           ", and check the other joints.";
  }

  const LogEvidence& evidence_;
};

}  // namespace

std::string rate_unit_problem(const LogEvidence& evidence) {
  const RateUnitCheck check(evidence);
  std::string problem = check.velocity_problem();
  return problem.empty() ? check.acceleration_problem() : problem;
}

}  // namespace spatial_dynamics
