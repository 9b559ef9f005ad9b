#include "spatial_dynamics/identification/excitation.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>

#include "identification/excitation_limits.hpp"
#include "identification/robot_regressor.hpp"
#include "identification/singular_values.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr Index kSamplesPerHarmonic = 16, kFinePerHarmonic = 100;
constexpr double kSamplingSlack = 0.98;  // peaks between the samples of the search
constexpr int kFirstMotions = 60;
constexpr double kInfeasible = -1e6;

class ExcitationSearch {
 public:
  ExcitationSearch(const Model& model, const ExcitationOptions& options)
      : model_(model),
        options_(options),
        coordinates_(scalar_coordinates(model)),
        random_(options.seed),
        coarse_(options.period_s, options.harmonics, kSamplesPerHarmonic * options.harmonics),
        data_(model, Dense::kNone) {
    if (static_cast<Index>(coordinates_.size()) != model.nv() || model.nv() != model.nq()) {
      throw std::invalid_argument("a robot on a floating base can't be excited.");
    }
    require_known_joints(coordinates_, options);
    BaseOptions base;
    base.parameters = options.parameters;
    base.position = VectorXd::Zero(model.nq());
    bool any = false;
    for (const ScalarCoordinate& c : coordinates_) {
      limits_.push_back(excitation_limits(model, c, options));
      base.still.push_back(!limits_.back().moves());
      if (base.still.back()) base.position(c.q) = limits_.back().lower;
      any = any || limits_.back().moves();
      const double effort = limits_.back().effort;
      weights_.push_back(std::isfinite(effort) && effort > 0.0 ? 1.0 / (effort * effort) : 0.0);
    }
    if (!any) throw std::invalid_argument("no joint may move.");
    weigh_unlimited_joints();
    base_ = base_parameters(model, base);
    regressor_ = std::make_unique<RobotRegressor>(model, base_.parameters);
  }

  Excitation run(const std::function<void(double share)>& progress) {
    Excitation result;
    FourierMotion best = random_motion();
    double best_value = -std::numeric_limits<double>::infinity();
    const int first = std::min(kFirstMotions, options_.evaluations);
    for (int i = 0; i < first; ++i) {
      const FourierMotion motion = random_motion();
      keep_better(motion, best, best_value);
      progress(static_cast<double>(i) / options_.evaluations);
    }
    result.first_criterion = best_value;
    double step = 0.5;
    for (int i = first; i < options_.evaluations; ++i) {
      // One fifth of the changes should be better: (1+1) evolution strategy.
      step *= keep_better(changed(best, step), best, best_value) ? 1.5 : 0.92;
      step = std::clamp(step, 0.01, 1.0);
      progress(static_cast<double>(i + 1) / options_.evaluations);
    }
    if (best_value <= kInfeasible) {
      throw std::invalid_argument(
          "holding the robot's weight already needs more than the allowed share of the effort "
          "limits; give ranges to keep near poses that the robot can hold, or a larger share.");
    }
    finish(best, result);
    return result;
  }

 private:
  /// Joints without an effort limit: by the torque of weight and of the largest acceleration.
  void weigh_unlimited_joints() {
    const VectorXd weight =
        inverse_dynamics(model_, data_, VectorXd::Zero(model_.nq()).eval(),
                         VectorXd::Zero(model_.nv()).eval(), VectorXd::Ones(model_.nv()).eval());
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const double size = std::max(std::abs(weight(static_cast<Index>(k))), 1e-3);
      if (weights_[k] == 0.0) weights_[k] = 1.0 / (size * size);
    }
  }

  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform() { return std::uniform_real_distribution<double>()(random_); }

  FourierMotion random_motion() {
    FourierMotion motion(limits_.size());
    for (std::size_t k = 0; k < motion.size(); ++k) {
      FourierJoint& joint = motion[k];
      joint.a.resize(options_.harmonics);
      joint.b.resize(options_.harmonics);
      for (Index l = 0; l < options_.harmonics; ++l) {
        joint.a(l) = normal();
        joint.b(l) = normal();
      }
      FourierSampler::begin_at_rest(joint);
      const double middle = 0.5 + 0.25 * (2.0 * uniform() - 1.0);
      joint.centre = limits_[k].lower + middle * (limits_[k].upper - limits_[k].lower);
      joint.amplitude = 0.3 + 0.7 * uniform();
    }
    return motion;
  }

  FourierMotion changed(const FourierMotion& from, double step) {
    FourierMotion motion = from;
    // Some joints at a time: a change of all would rarely be better.
    const double share = std::max(0.25, 1.5 / static_cast<double>(motion.size()));
    for (std::size_t k = 0; k < motion.size(); ++k) {
      if (uniform() > share || !limits_[k].moves()) continue;
      FourierJoint& joint = motion[k];
      for (Index l = 0; l < options_.harmonics; ++l) {
        joint.a(l) += 0.5 * step * normal();
        joint.b(l) += 0.5 * step * normal();
      }
      FourierSampler::begin_at_rest(joint);
      const double range = limits_[k].upper - limits_[k].lower;
      joint.centre = std::clamp(joint.centre + 0.3 * step * range * normal(),
                                limits_[k].lower + 0.02 * range, limits_[k].upper - 0.02 * range);
      joint.amplitude = std::clamp(joint.amplitude * std::exp(0.3 * step * normal()), 0.01, 1.0);
    }
    return motion;
  }

  bool keep_better(const FourierMotion& motion, FourierMotion& best, double& best_value) {
    coarse_.sample(motion, limits_, sampled_);
    const double value = criterion();
    if (!(value > best_value)) return false;
    best = motion;
    best_value = value;
    return true;
  }

  /// The largest predicted effort divided by what is allowed.
  double largest_effort_share() {
    double share = 0.0;
    for (Index i = 0; i < sampled_.q.cols(); ++i) {
      const VectorXd& tau =
          inverse_dynamics(model_, data_, sampled_.q.col(i), sampled_.v.col(i), sampled_.a.col(i));
      for (std::size_t k = 0; k < limits_.size(); ++k) {
        const double limit = kSamplingSlack * limits_[k].effort;
        if (limit > 0.0) share = std::max(share, std::abs(tau(static_cast<Index>(k))) / limit);
      }
    }
    return share;
  }

  /// The weighted equations of the sampled motion.
  void fill_equations() {
    const Index joints = model_.nv(), count = sampled_.q.cols();
    rows_.resize(joints * count, base_.rank());
    for (Index i = 0; i < count; ++i) {
      regressor_->compute(sampled_.q.col(i), sampled_.v.col(i), sampled_.a.col(i),
                          friction_direction(model_, sampled_.v.col(i)));
      for (Index b = 0; b < base_.rank(); ++b) {
        rows_.col(b).segment(joints * i, joints) =
            regressor_->matrix().col(base_.independent[to_size(b)]);
      }
      for (Index k = 0; k < joints; ++k)
        rows_.row(joints * i + k) *= std::sqrt(weights_[to_size(k)]);
    }
  }

  double criterion() {
    const double share = largest_effort_share();
    if (share > 1.0) return kInfeasible * share;
    fill_equations();
    const auto n = base_.rank();
    MatrixXd information = MatrixXd::Zero(n, n);
    information.selfadjointView<Eigen::Lower>().rankUpdate(rows_.transpose());
    information /= static_cast<double>(sampled_.q.cols());
    const VectorXd diagonal = information.diagonal();
    if (!(diagonal.minCoeff() > 0.0)) return 0.9 * kInfeasible;
    const VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
    information = (scale.asDiagonal() * information * scale.asDiagonal()).eval();
    const Eigen::LLT<MatrixXd> llt(information);
    if (llt.info() != Eigen::Success) return 0.8 * kInfeasible;
    const MatrixXd L = llt.matrixL();
    return (2.0 * L.diagonal().array().log().sum() + diagonal.array().log().sum()) /
           static_cast<double>(n);
  }

  void finish(const FourierMotion& best, Excitation& result) {
    coarse_.sample(best, limits_, sampled_);
    result.criterion = criterion();
    const VectorXd length = rows_.colwise().norm();
    const VectorXd s = singular_values(rows_ * length.cwiseInverse().asDiagonal()).s;
    result.condition = s(0) / s(s.size() - 1);
    result.base = base_;
    write_motion(best, result.motion);
    for (std::size_t k = 0; k < limits_.size(); ++k) describe_joint(k, result);
  }

  /// All limits of positions, velocities and accelerations hold at all times.
  void write_motion(const FourierMotion& best, JointMotion& motion) {
    const auto per_period =
        std::max<Index>(static_cast<Index>(std::lround(options_.rate_hz * options_.period_s)), 2);
    FourierMotion fitted = best;
    const FourierSampler fine(options_.period_s, options_.harmonics,
                              kFinePerHarmonic * options_.harmonics);
    const FourierSampler sampler(options_.period_s, options_.harmonics, per_period);
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      if (!limits_[k].moves()) continue;
      // Each sampler takes the size from its own samples.
      const double factor = std::min(fitted[k].amplitude * coarse_.size(fitted[k], limits_[k]),
                                     fine.size_at_all_times(fitted[k], limits_[k]));
      fitted[k].amplitude = factor / sampler.size(fitted[k], limits_[k]);
    }
    sampler.sample(fitted, limits_, sampled_);
    const Index count = per_period * options_.periods + 1;
    for (const ScalarCoordinate& c : coordinates_) motion.joints.push_back(c.name);
    for (MatrixXd* const m : {&motion.position, &motion.velocity, &motion.acceleration}) {
      m->resize(model_.nv(), count);
    }
    for (Index i = 0; i < count; ++i) {
      motion.time.push_back(static_cast<double>(i) * options_.period_s /
                            static_cast<double>(per_period));
      motion.position.col(i) = sampled_.q.col(i % per_period);
      motion.velocity.col(i) = sampled_.v.col(i % per_period);
      motion.acceleration.col(i) = sampled_.a.col(i % per_period);
    }
  }

  void describe_joint(std::size_t k, Excitation& result) {
    const auto row = static_cast<Index>(k);
    ExcitedJoint joint{coordinates_[k].name, limits_[k].moves()};
    joint.lower = result.motion.position.row(row).minCoeff();
    joint.upper = result.motion.position.row(row).maxCoeff();
    joint.velocity = result.motion.velocity.row(row).cwiseAbs().maxCoeff();
    joint.acceleration = result.motion.acceleration.row(row).cwiseAbs().maxCoeff();
    joint.velocity_limit = limits_[k].velocity;
    joint.acceleration_limit = limits_[k].acceleration;
    joint.effort_limit = limits_[k].effort;
    for (Index i = 0; i < sampled_.q.cols(); ++i) {
      const VectorXd& tau =
          inverse_dynamics(model_, data_, sampled_.q.col(i), sampled_.v.col(i), sampled_.a.col(i));
      joint.effort = std::max(joint.effort, std::abs(tau(row)));
    }
    result.joints.push_back(joint);
  }

  const Model& model_;
  const ExcitationOptions& options_;
  std::vector<ScalarCoordinate> coordinates_;
  std::vector<ExcitationLimits> limits_;
  std::vector<double> weights_;
  std::mt19937_64 random_;
  FourierSampler coarse_;
  BaseParameters base_;
  std::unique_ptr<RobotRegressor> regressor_;
  Data data_;
  SampledMotion sampled_;
  MatrixXd rows_;
};

}  // namespace

Excitation optimise_excitation(const Model& model, const ExcitationOptions& options,
                               const std::function<void(double share)>& progress) {
  if (!(options.period_s > 0.0) || options.periods < 1 || options.harmonics < 3 ||
      !(options.rate_hz * options.period_s >= 10.0 * options.harmonics) ||
      options.evaluations < 1) {
    throw std::invalid_argument(
        "an excitation needs a period above zero, at least one period, three harmonics, and a "
        "rate of at least ten samples per shortest sine.");
  }
  return ExcitationSearch(model, options).run(progress);
}

}  // namespace spatial_dynamics
