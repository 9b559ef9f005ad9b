#include "identification/effort_faults.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kOppositeSign = -0.8;       // correlation of measured and predicted efforts
constexpr double kProportional = 0.98;       // correlation
constexpr double kLargeFactor = 10.0;        // of a unit; torque constants are not as wrong
constexpr double kExplainedByFactor = 0.95;  // share of the squared residual
constexpr double kLeastFactor = 1.5;         // or its inverse; a payload can imitate smaller ones
constexpr double kFactorTolerance = 0.1;     // of each joint's factor from the common one

/// The factor c of measured ~ c predicted of one joint (least squares).
struct Proportion {
  double measured_predicted = 0.0, predicted_squared = 0.0, correlation = 0.0;

  [[nodiscard]] double factor() const { return measured_predicted / predicted_squared; }
};
Proportion proportion(const LogSamples& samples, const LogComparison& comparison, std::size_t k) {
  const auto i = static_cast<Index>(k);
  const VectorXd measured = samples.effort.row(i), predicted = comparison.predicted.row(i);
  Proportion result;
  result.measured_predicted = measured.dot(predicted);
  result.predicted_squared = predicted.squaredNorm();
  const double norms = measured.norm() * predicted.norm();
  if (norms > 0.0) result.correlation = result.measured_predicted / norms;
  return result;
}

/// Share of the squared residual, over all joints, that remains when the efforts of the joints in
/// `factors` are divided by them; 0 leaves a joint as it is. Weighted as GravityFit.
double left_by(const std::vector<double>& factors, const LogSamples& samples,
               const LogComparison& comparison) {
  double before = 0.0, after = 0.0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const JointResidual& joint = comparison.joints[k];
    if (!joint.has_effort) continue;
    const auto i = static_cast<Index>(k);
    const auto squared = [&](double factor) {
      return joint.weight() *
             (samples.effort.row(i) - factor * comparison.predicted.row(i)).squaredNorm();
    };
    before += squared(1.0);
    after += squared(factors[k] == 0.0 ? 1.0 : factors[k]);
  }
  return before > 0.0 ? after / before : 1.0;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + in_quotes(name);
  return text;
}

}  // namespace

// A driver without a sensor often reports zeros.
std::string zero_efforts(const LogComparison& comparison) {
  std::vector<std::string> names;
  for (const JointResidual& joint : comparison.joints) {
    if (joint.is_unexplained() && joint.effort_rms == 0.0) names.push_back(joint.name);
  }
  if (names.empty()) return {};
  return "every effort of " + listed(names) +
         " is 0: does the driver measure them? If not, leave their columns out.";
}

OppositeSigns opposite_signs(const LogSamples& samples, const LogComparison& comparison) {
  std::vector<std::string> names;
  std::vector<double> factors(comparison.joints.size(), 0.0), signs(factors.size(), 1.0);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const JointResidual& joint = comparison.joints[k];
    if (!joint.is_unexplained() || proportion(samples, comparison, k).correlation > kOppositeSign) {
      continue;
    }
    names.push_back(joint.name);
    factors[k] = signs[k] = -1.0;
  }
  if (names.empty()) return {};
  return {"efforts of " + listed(names) +
              " have the opposite sign of the predicted ones: change the sign in the driver, or "
              "the direction of the joint's axis in the URDF.",
          left_by(factors, samples, comparison), std::move(signs)};
}

std::string single_factors(const Model& model, const LogSamples& samples,
                           const LogComparison& comparison) {
  std::vector<std::string> names;
  double first = 0.0;
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    const std::size_t k = to_size(c.v);
    const JointResidual& joint = comparison.joints[k];
    if (!joint.is_unexplained()) continue;
    const Proportion p = proportion(samples, comparison, k);
    if (p.correlation < kProportional || p.factor() < kLargeFactor) continue;
    double possible = 0.0;  // largest effort
    const double limit = model.joint(c.joint).limits.effort;
    if (limit > 0.0 && limit < kLargestNumber) {
      possible = limit;
    } else {
      for (const JointResidual& other : comparison.joints) {
        if (&other != &joint) possible = std::max(possible, kLargeFactor * other.effort_rms);
      }
    }
    if (samples.effort.row(c.v).lpNorm<Eigen::Infinity>() <= possible) continue;
    names.push_back(joint.name);
    if (names.size() == 1) first = p.factor();
  }
  if (names.empty()) return {};
  return "efforts of " + listed(names) + " are " + rounded_text(first, 3) +
         " times the predicted ones" + (names.size() > 1 ? " (the first)" : "") +
         ", and larger than possible: are they in another unit than N m (N), such as mN m?";
}

CommonFactor common_factor(const LogSamples& samples, const LogComparison& comparison) {
  std::vector<std::string> names;
  std::vector<double> factors(comparison.joints.size(), 0.0);
  double weighted_product = 0.0, weighted_square = 0.0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const JointResidual& joint = comparison.joints[k];
    if (!joint.is_unexplained()) continue;
    const Proportion p = proportion(samples, comparison, k);
    if (!(p.measured_predicted > 0.0)) return {};
    names.push_back(joint.name);
    factors[k] = p.factor();
    weighted_product += joint.weight() * p.measured_predicted;
    weighted_square += joint.weight() * p.predicted_squared;
  }
  if (names.size() < 2) return {};
  const double common = weighted_product / weighted_square;
  if (common < kLeastFactor && common > 1.0 / kLeastFactor) return {};
  for (double& factor : factors) {
    if (factor == 0.0) continue;
    if (std::abs(factor / common - 1.0) > kFactorTolerance) return {};
    factor = common;
  }
  const double left = left_by(factors, samples, comparison);
  if (left > 1.0 - kExplainedByFactor) return {};
  return {"efforts of " + listed(names) + " are " + rounded_text(common, 3) +
              " times the predicted ones: are they in another unit than N m (N), or are torque "
              "constants or gear ratios wrong?",
          left};
}

}  // namespace spatial_dynamics
