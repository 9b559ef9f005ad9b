#include "replay_analysis.hpp"

#include <array>
#include <cmath>

#include "../model/text.hpp"
#include "identify_fit.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/model/last_moving_link.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Residuals below these shares of the joint's own and of the largest joint's efforts deserve no hint, nor do causes that explain
/// less of the residual.
constexpr double kGoodShare = 0.03, kGoodShareOfLargest = 5e-3, kExplains = 0.6;
constexpr double kOppositeSign = -0.8;  // correlation of measured and predicted efforts

/// `x` as the cause of `r`: r ~ c x. How much of r's square that explains.
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
/// To two digits: these are guesses.
std::string about(double value) {
  if (value == 0.0) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1.0);
  return rounded_text(std::round(value / unit) * unit);
}

class Hints {
 public:
  Hints(const Model& model, const Samples& samples, const Replay& result)
      : model_(model), samples_(samples), result_(result), data_(model) {
    gravity_.resize(model.nv(), samples.size());
    for (Index i = 0; i < samples.size(); ++i) {
      gravity_.col(i) = gravity_torque(model, data_, VectorXd(samples.q.col(i)));
    }
  }

  std::vector<std::string> find() {
    std::vector<std::string> hints;
    if (!any_odd()) return hints;
    if (std::string hint = silent_efforts(); !hint.empty()) return {hint};
    if (std::string hint = opposite_signs(); !hint.empty()) return {hint};
    if (std::string hint = missing_gravity(); !hint.empty()) return {hint};
    std::vector<Candidate> causes(result_.joints.size());
    for (std::size_t k = 0; k < causes.size(); ++k) {
      if (odd(k)) causes[k] = joint_cause(k);
    }
    if (std::string hint = payload(left_by_joints(causes)); !hint.empty()) return {hint};
    for (std::size_t k = 0; k < causes.size(); ++k) {
      if (odd(k)) hints.push_back(joint_hint(k, causes[k]));
    }
    return hints;
  }

 private:
  [[nodiscard]] bool odd(std::size_t k) const {
    const JointResidual& joint = result_.joints[k];
    return joint.has_effort && joint.residual_rms > kGoodShare * joint.effort_rms &&
           joint.residual_rms > kGoodShareOfLargest * largest_effort();
  }
  [[nodiscard]] bool any_odd() const {
    for (std::size_t k = 0; k < result_.joints.size(); ++k) {
      if (odd(k)) return true;
    }
    return false;
  }
  [[nodiscard]] double largest_effort() const {
    double largest = 0.0;
    for (const JointResidual& joint : result_.joints) largest = std::max(largest, joint.effort_rms);
    return largest;
  }
  [[nodiscard]] VectorXd residual(std::size_t k) const {
    const auto i = static_cast<Index>(k);
    return (samples_.effort.row(i) - result_.predicted.row(i)).transpose();
  }

  [[nodiscard]] std::string opposite_signs() const {
    std::string names;
    for (std::size_t k = 0; k < result_.joints.size(); ++k) {
      const auto i = static_cast<Index>(k);
      if (!odd(k)) continue;
      const VectorXd measured = samples_.effort.row(i), predicted = result_.predicted.row(i);
      const double norms = measured.norm() * predicted.norm();
      if (norms == 0.0 || measured.dot(predicted) / norms > kOppositeSign) continue;
      names += (names.empty() ? "" : ", ") + in_quotes(result_.joints[k].name);
    }
    if (names.empty()) return {};
    return "efforts of " + names +
           " have the opposite sign of what the model predicts: turn the sign in the driver, or "
           "the "
           "joint's axis in the URDF.";
  }

  /// A driver that has no sensor often fills in zeros.
  [[nodiscard]] std::string silent_efforts() const {
    std::string names;
    for (std::size_t k = 0; k < result_.joints.size(); ++k) {
      if (!odd(k) || result_.joints[k].effort_rms != 0.0) continue;
      names += (names.empty() ? "" : ", ") + in_quotes(result_.joints[k].name);
    }
    if (names.empty()) return {};
    return "every effort of " + names +
           " is 0: does the driver measure them? If not, leave their columns out.";
  }

  /// Over all joints with efforts, each weighted by its own.
  [[nodiscard]] std::string missing_gravity() const {
    double before = 0.0, after = 0.0;
    for (std::size_t k = 0; k < result_.joints.size(); ++k) {
      const JointResidual& joint = result_.joints[k];
      if (!joint.has_effort) continue;
      const VectorXd r = residual(k), g = gravity_.row(static_cast<Index>(k));
      const double size = result_.predicted.row(static_cast<Index>(k)).squaredNorm() + 1e-12;
      before += r.squaredNorm() / size;
      after += (r + g).squaredNorm() / size;
    }
    const double explained = 1.0 - after / before;
    if (explained < 0.8) return {};
    return "the efforts lack the robot's weight (" + percent(explained) +
           " of the residual): does the hardware compensate gravity by itself? Then set "
           "compensated_by_hardware: [gravity].";
  }

  /// A payload that explains most, and more than what is wrong with single joints does. One with an inertia can mimic nearly
  /// everything that is wrong with a robot of few joints, so that it has to explain far more.
  [[nodiscard]] std::string payload(double left_by_joints) const {
    for (const bool rotational : {false, true}) {
      FitOptions options;
      options.link = last_moving_link(model_);
      options.rotational = rotational;
      const Fit fit = fit_log(model_, samples_, options);
      const FittedPayload load = fitted_payload(fit, rotational);
      const double left = 1.0 - fit.explained;
      if (fit.explained < kExplains || left > (rotational ? 0.1 : 1.0) * left_by_joints) continue;
      if (load.present) return payload_hint(options, fit, load);
    }
    return {};
  }
  [[nodiscard]] std::string payload_hint(const FitOptions& options, const Fit& fit,
                                         const FittedPayload& load) const {
    const std::string link = link_element(model_.link(options.link).name);
    const std::string what =
        !load.significant ? "a payload on " + link + ", whose mass this motion does not tell,"
        : load.mass > 0.0 ? "a payload of " + about(load.mass) + " kg on " + link
                          : about(-load.mass) + " kg less on " + link;
    return what + " would explain " + percent(fit.explained) +
           " of the residual; `spatial_dynamics identify" +
           (options.rotational ? " --inertia" : "") + "` tells more.";
  }

  /// The simple cause that explains most of a joint's residual; `sentence` is empty if none explains enough.
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
                scale = try_cause(result_.predicted.row(i));
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

  /// Share of the residual that remains when each odd joint's simple cause is mended; joints weighted by their efforts, as
  /// Fit::explained is.
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
    const VectorXd r = residual(k);
    const Index n = r.size() - 1;
    const double next = n > 0 ? r.head(n).dot(r.tail(n)) / r.squaredNorm() : 0.0;
    if (next < 0.3) return name + "is off by noise alone: each sample differs from the next.";
    return name + "is off by " + about(joint.residual_rms) + (joint.is_length ? " N" : " N m") +
           " (rms) without a single simple cause; plot it, and try `spatial_dynamics identify "
           "--friction --offset`.";
  }

  const Model& model_;
  const Samples& samples_;
  const Replay& result_;
  Data data_;
  MatrixXd gravity_;
};

JointResidual measure(const Model& model, const ScalarCoordinate& c, const Samples& samples,
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

Replay replay(const Model& model, const Samples& samples) {
  Replay result;
  Data data(model);
  result.predicted.resize(model.nv(), samples.size());
  VectorXd q(model.nq()), v(model.nv()), a(model.nv());
  for (Index i = 0; i < samples.size(); ++i) {
    q = samples.q.col(i);
    v = samples.v.col(i);
    a = samples.a.col(i);
    result.predicted.col(i) = inverse_dynamics(model, data, q, v, a);
  }
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    result.joints.push_back(measure(model, c, samples, result.predicted));
  }
  result.hints = Hints(model, samples, result).find();
  return result;
}

}  // namespace spatial_dynamics::cli
