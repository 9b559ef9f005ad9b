#include "identification/log_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "identification/log_faults.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/identification/fitted_payload.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kExplains = 0.6;  // a cause must explain this share of the squared residual
constexpr double kLeastConstant = 0.1, kMostConstant = 10.0;  // of a wrong torque constant

/// Least squares of r ~ c x, and the share of r's square that it explains.
struct Cause {
  double c = 0.0;
  double explained = 0.0;
};
Cause cause(const VectorXd& r, const VectorXd& x) {
  const double xx = x.squaredNorm(), rr = r.squaredNorm();
  if (xx == 0.0 || rr == 0.0) return {};
  const double c = x.dot(r) / xx;
  return {c, c * c * xx / rr};
}

std::string percent(double share) { return rounded_text(std::round(100.0 * share)) + " %"; }
/// Two significant digits, because hints are estimates.
std::string about(double value) {
  if (value == 0.0) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1.0);
  return rounded_text(std::round(value / unit) * unit);
}

/// Every stride-th column.
MatrixXd every(Index stride, const MatrixXd& all) {
  if (all.size() == 0) return all;
  MatrixXd some(all.rows(), (all.cols() + stride - 1) / stride);
  for (Index k = 0; k < some.cols(); ++k) some.col(k) = all.col(k * stride);
  return some;
}

/// Every stride-th sample.
LogSamples every(Index stride, const LogSamples& all) {
  LogSamples some;
  some.q = every(stride, all.q);
  some.v = every(stride, all.v);
  some.a = every(stride, all.a);
  some.effort = every(stride, all.effort);
  some.effort_rate = every(stride, all.effort_rate);
  for (Index i = 0; i < all.size(); i += stride) some.time.push_back(all.time[to_size(i)]);
  some.has_effort = all.has_effort;
  some.filter = all.filter;
  some.window_s = all.window_s;
  return some;
}

constexpr double kUnrelated = 0.3;  // correlation of the residuals of successive samples
constexpr const char* kIdentifyAllHint =
    "the masses, inertias and friction of several links may be wrong; `spatial_dynamics identify "
    "ROBOT.urdf LOG --all` fits them to a log in which all joints move.";

class Hints {
 public:
  Hints(const Model& model, const LogSamples& samples, const LogComparison& result)
      : model_(model),
        samples_(samples),
        result_(result),
        few_(every(std::max<Index>(1, samples.size() / kMostForHints), samples)) {}

  /// Hints if there is no fault.
  [[nodiscard]] std::vector<std::string> find() const {
    if (!any_unexplained()) return {};
    std::vector<Candidate> causes(result_.joints.size());
    for (std::size_t k = 0; k < causes.size(); ++k) {
      if (result_.joints[k].is_unexplained()) causes[k] = joint_cause(k);
    }
    if (std::string hint = payload(left_by_joints(causes)); !hint.empty()) return {hint};
    std::vector<std::string> hints;
    std::size_t wrong = 0;
    bool without_cause = false;
    for (std::size_t k = 0; k < causes.size(); ++k) {
      if (!result_.joints[k].is_unexplained()) continue;
      hints.push_back(joint_hint(k, causes[k]));
      if (causes[k].sentence.empty() && is_noise(k)) continue;
      ++wrong;
      without_cause = without_cause || causes[k].sentence.empty();
    }
    if (without_cause || wrong > 1) hints.emplace_back(kIdentifyAllHint);
    return hints;
  }

 private:
  [[nodiscard]] bool any_unexplained() const {
    return std::any_of(result_.joints.begin(), result_.joints.end(),
                       [](const JointResidual& joint) { return joint.is_unexplained(); });
  }
  [[nodiscard]] VectorXd residual(std::size_t k) const {
    const auto i = static_cast<Index>(k);
    return (samples_.effort.row(i) - result_.predicted.row(i)).transpose();
  }

  /// Suggests a payload if it explains most of the residual, and more than the causes in single
  /// joints do. A payload with rotational inertia can imitate nearly every error of a robot with
  /// few joints, so it must explain ten times more.
  [[nodiscard]] std::string payload(double left_by_joints) const {
    for (const bool rotational : {false, true}) {
      LogFitOptions options;
      options.link = last_moving_link(model_);
      options.rotational = rotational;
      const LogFit fit = fit_log(model_, few_, options);
      const FittedPayload load = fitted_payload(fit, rotational);
      const double left = 1.0 - fit.explained;
      if (fit.explained < kExplains || left > (rotational ? 0.1 : 1.0) * left_by_joints) continue;
      if (load.present) return payload_hint(options, fit, load);
    }
    return {};
  }
  [[nodiscard]] std::string payload_hint(const LogFitOptions& options, const LogFit& fit,
                                         const FittedPayload& load) const {
    const std::string link = link_element(model_.link(options.link).name);
    const std::string what =
        !load.significant ? "a payload on " + link + ", whose mass this motion does not determine,"
        : load.mass > 0.0 ? "a payload of " + about(load.mass) + " kg on " + link
                          : about(-load.mass) + " kg less on " + link;
    return what + " would explain " + percent(fit.explained) +
           " of the residual; `spatial_dynamics identify" +
           (options.rotational ? " --inertia" : "") + "` estimates it.";
  }

  /// The simple cause that explains most of a joint's residual; `sentence` is empty if none
  /// explains enough.
  struct Candidate {
    Cause cause;
    std::string sentence;
  };
  [[nodiscard]] Candidate joint_cause(std::size_t k) const {
    const auto i = static_cast<Index>(k);
    const JointResidual& joint = result_.joints[k];
    const std::string force = joint.is_length ? " N" : " N m",
                      speed = joint.is_length ? " N s/m" : " N m s/rad",
                      inertia = joint.is_length ? " kg" : " kg m^2";
    const VectorXd r = residual(k), v = samples_.v.row(i);
    const VectorXd slip = (v.array() / model_.friction_speed()).tanh();
    const auto try_cause = [&](const VectorXd& x) { return cause(r, x); };
    const Cause constant = try_cause(VectorXd::Ones(r.size())), coulomb = try_cause(slip),
                viscous = try_cause(v), rotor = try_cause(samples_.a.row(i)),
                factor = try_cause(result_.predicted.row(i));
    const bool is_factor = 1.0 + factor.c > kLeastConstant && 1.0 + factor.c < kMostConstant;
    const Cause scale = is_factor ? factor : Cause{};
    const std::array<Candidate, 5> candidates{
        {{constant,
          "is off by a constant " + about(constant.c) + force + ": payload or effort offset?"},
         {coulomb, "is off by " + about(coulomb.c) + force +
                       " in the direction of motion: is its friction in the URDF too " +
                       (coulomb.c > 0.0 ? "small?" : "large?")},
         {viscous, "is off by " + about(viscous.c) + speed +
                       " times its speed: is its damping in the URDF too " +
                       (viscous.c > 0.0 ? "small?" : "large?")},
         {rotor, "is off by " + about(rotor.c) + inertia +
                     " times its acceleration: rotor inertia (armature) or a link's inertia?"},
         {scale, "measures " + about(1.0 + scale.c) +
                     " times what is predicted: torque constant or gear ratio?"}}};
    Candidate best{{0.0, kExplains}, {}};
    for (const Candidate& candidate : candidates) {
      if (candidate.cause.explained > best.cause.explained) best = candidate;
    }
    return best;
  }

  /// Share of the residual that remains when the simple cause of each joint is corrected; joints
  /// are weighted by their efforts, as in LogFit::explained.
  [[nodiscard]] double left_by_joints(const std::vector<Candidate>& causes) const {
    double before = 0.0, after = 0.0;
    for (std::size_t k = 0; k < causes.size(); ++k) {
      const JointResidual& joint = result_.joints[k];
      if (!joint.has_effort) continue;
      const double share =
          std::pow(joint.residual_rms, 2) / (std::pow(joint.effort_rms, 2) + 1e-12);
      before += share;
      after += causes[k].sentence.empty() ? share : (1.0 - causes[k].cause.explained) * share;
    }
    return before > 0.0 ? after / before : 0.0;
  }

  [[nodiscard]] std::string joint_hint(std::size_t k, const Candidate& best) const {
    const JointResidual& joint = result_.joints[k];
    const std::string name = joint_element(joint.name) + " ";
    if (!best.sentence.empty()) {
      return name + best.sentence + " (" + percent(best.cause.explained) + " of its residual)";
    }
    if (is_noise(k)) {
      const std::string which = samples_.window_s == 0.0
                                    ? "successive samples"
                                    : "samples " + about(1e3 * samples_.window_s) + " ms apart";
      return name + "differs by noise only: the residuals of " + which + " are unrelated.";
    }
    return name + "is off by " + about(joint.residual_rms) + (joint.is_length ? " N" : " N m") +
           " (rms) without a simple cause; plot it.";
  }

  /// True if the residuals of samples that share no measurement are unrelated: of successive ones,
  /// with a filter those one window apart.
  [[nodiscard]] bool is_noise(std::size_t k) const {
    const VectorXd r = residual(k);
    Index apart = 1;
    while (apart + 1 < r.size() &&
           samples_.time[to_size(apart)] - samples_.time.front() < samples_.window_s) {
      ++apart;
    }
    const Index n = r.size() - apart;
    return n <= 0 || r.head(n).dot(r.tail(n)) < kUnrelated * r.squaredNorm();
  }

  const Model& model_;
  const LogSamples& samples_;
  const LogComparison& result_;
  LogSamples few_;  // a part of the samples, evenly spaced
};

JointResidual measure(const Model& model, const ScalarCoordinate& c, const LogSamples& samples,
                      const MatrixXd& predicted) {
  JointResidual joint;
  joint.name = c.name;
  const JointType type = model.joint(c.joint).type;
  joint.is_length = type == JointType::kPrismatic || (type == JointType::kPlanar && !c.wraps);
  joint.has_effort = samples.has_effort[to_size(c.v)];
  if (!joint.has_effort) return joint;
  const VectorXd effort = samples.effort.row(c.v), r = effort - predicted.row(c.v).transpose();
  const auto n = static_cast<double>(r.size());
  joint.effort_rms = std::sqrt(effort.squaredNorm() / n);
  joint.residual_rms = std::sqrt(r.squaredNorm() / n);
  joint.residual_mean = r.mean();
  joint.residual_max = r.lpNorm<Eigen::Infinity>();
  return joint;
}

}  // namespace

LogComparison compare_log(const Model& model, const LogSamples& samples,
                          const std::function<void(double share)>& progress) {
  LogComparison result;
  Data data(model, Dense::kNone);
  result.predicted.resize(model.nv(), samples.size());
  VectorXd q(model.nq()), v(model.nv()), a(model.nv());
  for (Index i = 0; i < samples.size(); ++i) {
    q = samples.q.col(i);
    v = samples.v.col(i);
    a = samples.a.col(i);
    result.predicted.col(i) = inverse_dynamics(model, data, q, v, a);
    progress(static_cast<double>(i + 1) / static_cast<double>(samples.size()));
  }
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  double largest = 0.0;
  for (const ScalarCoordinate& c : coordinates) {
    result.joints.push_back(measure(model, c, samples, result.predicted));
    largest = std::max(largest, result.joints.back().effort_rms);
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const double limit = model.joint(coordinates[k].joint).limits.effort;
    const bool limited = limit > 0.0 && limit < kLargestNumber;
    result.joints[k].resolution = kResolution * (limited ? limit : largest);
  }
  if (const std::string fault = log_fault(model, samples, result); !fault.empty()) {
    result.hints = {fault};
    result.fit_is_meaningless = true;
  } else {
    result.hints = Hints(model, samples, result).find();
  }
  return result;
}

}  // namespace spatial_dynamics
