// Times that are not in seconds.
#include <array>
#include <cmath>

#include "identification/log_units.hpp"
#include "identification/rate_ratio.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// A robot's log has at least 5 samples per second, and in other units a step of 0.2 s is one of
// 5 kHz in ms.
constexpr double kSlowStep = 0.19;
constexpr double kVerySlowStep = 10.0;  // s: no log of a motion

struct TimeUnit {
  double per_second;
  const char* name;
  double longest_step;  // of a log, in this unit
};
constexpr std::array<TimeUnit, 3> kTimeUnits{
    {{1e3, "milliseconds", 200.0}, {1e6, "microseconds", 2e5}, {1e9, "nanoseconds", kUnlimited}}};

/// Finds the unit from the steps and from the velocities.
class TimeUnitCheck {
 public:
  explicit TimeUnitCheck(const LogEvidence& evidence) : evidence_(evidence) {}

  [[nodiscard]] std::string problem() const {
    bool known = false;
    double common = 0.0;
    for (const std::optional<double>& ratio : evidence_.ratios) {
      if (!ratio.has_value()) continue;
      if (known && !is_near(*ratio, common)) return {};  // the joints have different errors
      common = *ratio;
      known = true;
    }
    if (known) {
      for (const TimeUnit& unit : kTimeUnits) {
        if (!is_near(common * unit.per_second, 1.0) || evidence_.step < 1e-4 * unit.per_second)
          continue;
        return time_sentence(unit, "and positions change " + rounded_text(unit.per_second) +
                                       " times more slowly than the velocities");
      }
      return {};
    }
    if (evidence_.log.a.size() != 0) return {};  // a list of poses needs no steps
    const bool too_long = evidence_.step > kVerySlowStep;
    if (!too_long &&
        (evidence_.log.v.size() != 0 || evidence_.step < kSlowStep || !moves_too_slowly()))
      return {};
    for (const TimeUnit& unit : kTimeUnits) {
      if (evidence_.step > unit.longest_step) continue;
      return time_sentence(
          unit, too_long ? "and no motion can be computed from samples so far apart"
                         : "and all joints would move at less than 0.2 % of their speed limits");
    }
    return {};
  }

 private:
  [[nodiscard]] std::string time_sentence(const TimeUnit& unit, const std::string& evidence) const {
    return std::string("the column of times is in ") + unit.name + ", not in seconds: its median " +
           "step is " + rounded_text(evidence_.step) + ", " + evidence + "; divide it by " +
           rounded_text(unit.per_second) + ".";
  }

  /// True if joints move, but all of them slower than 0.2 % of their limits (without a limit, of
  /// 1 rad/s or 1 m/s). A log in ms has at most 0.1 %.
  [[nodiscard]] bool moves_too_slowly() const {
    bool moves = false;
    for (const ScalarCoordinate& c : evidence_.coordinates) {
      const double limit = evidence_.model.joint(c.joint).limits.velocity;
      const double allowed = 2e-3 * (limit > 0.0 && std::isfinite(limit) ? limit : 1.0);
      for (Index i = 1; i < evidence_.log.size(); ++i) {
        const double dt = evidence_.log.time[to_size(i)] - evidence_.log.time[to_size(i - 1)];
        if (std::abs(evidence_.log.q(c.v, i) - evidence_.log.q(c.v, i - 1)) > allowed * dt)
          return false;
      }
      moves =
          moves || evidence_.log.q.row(c.v).maxCoeff() - evidence_.log.q.row(c.v).minCoeff() > 0.05;
    }
    return moves;
  }

  const LogEvidence& evidence_;
};

}  // namespace

std::string time_unit_problem(const LogEvidence& evidence) {
  return TimeUnitCheck(evidence).problem();
}

}  // namespace spatial_dynamics
