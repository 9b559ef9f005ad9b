#include "identification/log_units.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "identification/rate_ratio.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kDegree = M_PI / 180.0;
constexpr double kTurn = 2.0 * M_PI;
// A robot's log has at least 5 samples per second, and in other units a step of 0.2 s is one of
// 5 kHz in ms.
constexpr double kSlowStep = 0.19;
constexpr double kVerySlowStep = 10.0;  // s: no log of a motion
constexpr Index kMostCompared = 500;    // samples whose efforts are predicted
// Without other evidence the efforts alone show that the angles are in another unit: the residual
// in rad is above this share of the efforts, and that in the other unit below this share of it.
constexpr double kUnexplained = 0.5, kMuchBetter = 0.1;

bool is_angle(const ScalarCoordinate& c) {
  return c.wraps || (c.type != JointType::kPrismatic && c.type != JointType::kPlanar);
}

/// Velocities of a planar joint's x and y are in the frame of the child.
bool velocity_is_rate(const ScalarCoordinate& c) { return c.type != JointType::kPlanar || c.wraps; }

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

struct TimeUnit {
  double per_second;
  const char* name;
  double longest_step;  // of a log, in this unit
};
constexpr std::array<TimeUnit, 3> kTimeUnits{
    {{1e3, "milliseconds", 200.0}, {1e6, "microseconds", 2e5}, {1e9, "nanoseconds", kUnlimited}}};

class UnitCheck {
 public:
  UnitCheck(const Model& model, const RobotLog& log, const LogSamples& samples)
      : model_(model),
        log_(log),
        samples_(samples),
        coordinates_(scalar_coordinates(model)),
        step_(median_step(log)),
        stride_(std::max<Index>(1, samples.size() / kMostCompared)) {
    ratios_.resize(coordinates_.size());
    if (log.v.size() == 0) return;
    for (const ScalarCoordinate& c : coordinates_) {
      if (!velocity_is_rate(c)) continue;
      const VectorXd q = log.q.row(c.v), v = log.v.row(c.v);
      if (c.wraps && equals_rate_but_for_turns(log, q, v)) continue;
      ratios_[to_size(c.v)] = rate_ratio(log, q, v);
    }
  }

  [[nodiscard]] std::string find() const {
    if (std::string problem = time_problem(); !problem.empty()) return problem;
    if (std::string problem = velocity_problem(); !problem.empty()) return problem;
    if (std::string problem = acceleration_problem(); !problem.empty()) return problem;
    if (std::string problem = length_problem(); !problem.empty()) return problem;
    if (std::string problem = angle_problem(); !problem.empty()) return problem;
    return effort_problem();
  }

 private:
  // ---- time ----

  [[nodiscard]] std::string time_sentence(const TimeUnit& unit, const std::string& evidence) const {
    return std::string("the column of times is in ") + unit.name + ", not in seconds: its median " +
           "step is " + rounded_text(step_) + ", " + evidence + "; divide it by " +
           rounded_text(unit.per_second) + ".";
  }

  [[nodiscard]] std::string time_problem() const {
    bool known = false;
    double common = 0.0;
    for (const std::optional<double>& ratio : ratios_) {
      if (!ratio.has_value()) continue;
      if (known && !is_near(*ratio, common)) return {};  // the joints have different errors
      common = *ratio;
      known = true;
    }
    if (known) {
      for (const TimeUnit& unit : kTimeUnits) {
        if (!is_near(common * unit.per_second, 1.0) || step_ < 1e-4 * unit.per_second) continue;
        return time_sentence(unit, "and positions change " + rounded_text(unit.per_second) +
                                       " times more slowly than the velocities");
      }
      return {};
    }
    if (log_.a.size() != 0) return {};  // a list of poses needs no steps
    const bool too_long = step_ > kVerySlowStep;
    if (!too_long && (log_.v.size() != 0 || step_ < kSlowStep || !moves_too_slowly())) return {};
    for (const TimeUnit& unit : kTimeUnits) {
      if (step_ > unit.longest_step) continue;
      return time_sentence(
          unit, too_long ? "and no motion can be computed from samples so far apart"
                         : "and all joints would move at less than 0.2 % of their speed limits");
    }
    return {};
  }

  /// True if joints move, but all of them slower than 0.2 % of their limits (without a limit, of
  /// 1 rad/s or 1 m/s). A log in ms has at most 0.1 %.
  [[nodiscard]] bool moves_too_slowly() const {
    bool moves = false;
    for (const ScalarCoordinate& c : coordinates_) {
      const double limit = model_.joint(c.joint).limits.velocity;
      const double allowed = 2e-3 * (limit > 0.0 && std::isfinite(limit) ? limit : 1.0);
      for (Index i = 1; i < log_.size(); ++i) {
        const double dt = log_.time[to_size(i)] - log_.time[to_size(i - 1)];
        if (std::abs(log_.q(c.v, i) - log_.q(c.v, i - 1)) > allowed * dt) return false;
      }
      moves = moves || log_.q.row(c.v).maxCoeff() - log_.q.row(c.v).minCoeff() > 0.05;
    }
    return moves;
  }

  // ---- rates ----

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

  /// The first joint with a wrong ratio.
  [[nodiscard]] std::string velocity_problem() const {
    for (const ScalarCoordinate& c : coordinates_) {
      const std::optional<double>& ratio = ratios_[to_size(c.v)];
      if (!ratio.has_value() || (*ratio > 0.4 && *ratio < 2.5)) continue;
      return wrong_ratio_text(c, *ratio);
    }
    return {};
  }

  /// Only known factors: at stops, accelerations are not the rate of velocities.
  [[nodiscard]] std::string acceleration_problem() const {
    if (log_.a.size() == 0 || log_.v.size() == 0) return {};
    for (const ScalarCoordinate& c : coordinates_) {
      if (!velocity_is_rate(c)) continue;
      const std::optional<double> ratio = rate_ratio(log_, log_.v.row(c.v), log_.a.row(c.v));
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

  // ---- lengths and angles ----

  /// How far the positions of a joint, times `scale`, exceed its limits; 0 without limits.
  [[nodiscard]] double excess(const ScalarCoordinate& c, double scale) const {
    const JointLimits& limits = model_.joint(c.joint).limits;
    if (c.type != JointType::kRevolute && c.type != JointType::kPrismatic) return 0.0;
    if (!(limits.lower < limits.upper)) return 0.0;
    return std::max({scale * log_.q.row(c.v).maxCoeff() - limits.upper,
                     limits.lower - scale * log_.q.row(c.v).minCoeff(), 0.0});
  }

  [[nodiscard]] std::string limits_text(const ScalarCoordinate& c, const std::string& unit) const {
    const JointLimits& limits = model_.joint(c.joint).limits;
    return rounded_text(limits.lower) + " to " + rounded_text(limits.upper) + " " + unit;
  }
  [[nodiscard]] std::string range_text(const ScalarCoordinate& c) const {
    return rounded_text(log_.q.row(c.v).minCoeff()) + " to " +
           rounded_text(log_.q.row(c.v).maxCoeff());
  }

  [[nodiscard]] std::string length_problem() const {
    for (const ScalarCoordinate& c : coordinates_) {
      if (c.type != JointType::kPrismatic) continue;
      const JointLimits& limits = model_.joint(c.joint).limits;
      const double size = std::max(std::abs(limits.lower), std::abs(limits.upper));
      if (excess(c, 1.0) < std::max(0.5, 2.0 * size) || excess(c, 1e-3) > 0.1 * size) continue;
      return "the position of " + joint_element(c.name) + " is in millimetres: it is from " +
             range_text(c) + ", and the URDF's limits are " + limits_text(c, "m") +
             "; divide positions and velocities by 1000.";
    }
    return {};
  }

  /// Reasons to try degrees. Limits of a URDF may be wrong, joints may count turns, so that the
  /// efforts decide.
  struct Suspicion {
    std::string joint, evidence;
    bool strong = false;
  };
  [[nodiscard]] Suspicion suspect_degrees() const {
    Suspicion found;
    for (const ScalarCoordinate& c : coordinates_) {
      if (!is_angle(c)) continue;
      if (excess(c, kDegree) > 20.0 * kDegree) return {};  // not in degrees either
      const double beyond = excess(c, 1.0);
      const double limit = model_.joint(c.joint).limits.velocity;
      const double speed = log_.v.size() != 0 ? log_.v.row(c.v).lpNorm<Eigen::Infinity>() : 0.0;
      const std::string range =
          "the positions of " + joint_element(c.name) + " are from " + range_text(c);
      if (beyond > 0.5 && !found.strong) {
        found = {c.name, range + ", its limits are " + limits_text(c, "rad"), beyond > 7.0};
      } else if (found.joint.empty() && c.wraps &&
                 log_.q.row(c.v).lpNorm<Eigen::Infinity>() > kTurn) {
        found = {c.name, range};
      } else if (found.joint.empty() && limit > 0.0 && speed > 3.0 * limit) {
        found = {c.name, "the velocity of " + joint_element(c.name) + " is up to " +
                             rounded_text(speed) + ", its limit is " + rounded_text(limit) +
                             " rad/s"};
      }
    }
    return found;
  }

  [[nodiscard]] std::string angle_problem() const {
    const Suspicion suspicion = suspect_degrees();
    const double radians = residual_share(1.0), degrees = residual_share(kDegree);
    const bool better =
        suspicion.strong ? degrees < radians : radians > 0.3 && degrees < 0.5 * radians;
    if (!suspicion.joint.empty() && better) {
      return angle_sentence(
          "degrees", kDegree,
          suspicion.evidence + ", and the model explains the efforts better with degrees");
    }
    // A small motion stays within the limits in any unit.
    if (!(radians > kUnexplained)) return {};
    const double turns = residual_share(kTurn);
    const bool in_degrees = degrees < turns;
    const double least = std::min(degrees, turns);
    if (!(least < kMuchBetter * radians)) return {};
    const std::string unit = in_degrees ? "degrees" : "revolutions";
    return angle_sentence(unit, in_degrees ? kDegree : kTurn,
                          "with " + unit + " the model leaves " + percent(least) +
                              " of the efforts unexplained, with radians " + percent(radians));
  }
  [[nodiscard]] static std::string angle_sentence(const std::string& unit, double factor,
                                                  const std::string& evidence) {
    return "the angles are in " + unit + ": " + evidence +
           "; multiply positions, velocities and accelerations of all angles by " +
           rounded_text(factor, 6) + ".";
  }
  [[nodiscard]] static std::string percent(double share) {
    return rounded_text(100.0 * share, 2) + " %";
  }

  // ---- efforts ----

  /// Predicted efforts of every stride-th sample, with angles and their rates times `scale`.
  [[nodiscard]] MatrixXd predict(double scale) const {
    Data data(model_, Dense::kNone);
    VectorXd factor = VectorXd::Ones(model_.nv());
    for (const ScalarCoordinate& c : coordinates_) {
      if (is_angle(c)) factor(c.v) = scale;
    }
    MatrixXd predicted(model_.nv(), (samples_.size() + stride_ - 1) / stride_);
    for (Index k = 0; k < predicted.cols(); ++k) {
      const Index i = k * stride_;
      const VectorXd q = factor.cwiseProduct(samples_.q.col(i)),
                     v = factor.cwiseProduct(samples_.v.col(i)),
                     a = factor.cwiseProduct(samples_.a.col(i));
      predicted.col(k) = inverse_dynamics(model_, data, q, v, a);
    }
    return predicted;
  }
  [[nodiscard]] VectorXd measured(Index row) const {
    VectorXd effort((samples_.size() + stride_ - 1) / stride_);
    for (Index k = 0; k < effort.size(); ++k) effort(k) = samples_.effort(row, k * stride_);
    return effort;
  }

  /// Root mean square, over the joints with efforts, of residual divided by effort.
  [[nodiscard]] double residual_share(double scale) const {
    const MatrixXd predicted = predict(scale);
    double squares = 0.0, joints = 0.0;
    for (const ScalarCoordinate& c : coordinates_) {
      if (!samples_.has_effort[to_size(c.v)]) continue;
      const VectorXd effort = measured(c.v);
      const VectorXd residual = effort - predicted.row(c.v).transpose();
      squares += residual.squaredNorm() / (effort.squaredNorm() + 1e-12);
      joints += 1.0;
    }
    return std::sqrt(squares / joints);
  }

  /// All joints measure far more than predicted, and those with the largest efforts about 1000
  /// times as much. A single one may have a wrong torque constant.
  [[nodiscard]] std::string effort_problem() const {
    const MatrixXd predicted = predict(1.0);
    const double largest = predicted.rowwise().norm().maxCoeff();
    std::string name;
    double scale = 0.0;
    for (const ScalarCoordinate& c : coordinates_) {
      const VectorXd expected = predicted.row(c.v);
      const double size = expected.norm();
      if (!samples_.has_effort[to_size(c.v)] || size == 0.0) continue;
      const VectorXd effort = measured(c.v);
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

  const Model& model_;
  const RobotLog& log_;
  const LogSamples& samples_;
  std::vector<ScalarCoordinate> coordinates_;
  double step_;
  Index stride_;
  std::vector<std::optional<double>> ratios_;  // per coordinate
};

}  // namespace

std::string unit_problem(const Model& model, const RobotLog& log, const LogSamples& samples) {
  return UnitCheck(model, log, samples).find();
}

}  // namespace spatial_dynamics
