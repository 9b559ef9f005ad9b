#include "identification/fourier_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spatial_dynamics {
namespace {

/// The largest factor of a curve from `low` to `high` about `centre` that stays within a range.
double factor_within(double centre, double low, double high, double lower, double upper) {
  const double up = high > 0.0 ? (upper - centre) / high : std::numeric_limits<double>::max();
  const double down = low < 0.0 ? (lower - centre) / low : std::numeric_limits<double>::max();
  return std::max(0.0, std::min(up, down));
}

}  // namespace

FourierSampler::FourierSampler(double period_s, int harmonics, Index samples)
    : sines_(samples, harmonics), cosines_(samples, harmonics), frequency_(harmonics) {
  for (Index l = 0; l < frequency_.size(); ++l) {
    frequency_(l) = 2.0 * M_PI * static_cast<double>(l + 1) / period_s;
    for (Index i = 0; i < samples; ++i) {
      const double t = period_s * static_cast<double>(i) / static_cast<double>(samples);
      sines_(i, l) = std::sin(frequency_(l) * t);
      cosines_(i, l) = std::cos(frequency_(l) * t);
    }
  }
}

void FourierSampler::begin_at_rest(FourierJoint& joint) {
  const Index n = joint.a.size();
  const VectorXd number = VectorXd::LinSpaced(n, 1.0, static_cast<double>(n));
  joint.a.array() -= joint.a.mean();                                 // v(0) = sum of a
  joint.b -= number * (number.dot(joint.b) / number.squaredNorm());  // v'(0) = w sum of l b_l
  const double norm = std::sqrt(joint.a.squaredNorm() + joint.b.squaredNorm());
  if (norm > 0.0) {
    joint.a /= norm;
    joint.b /= norm;
  }
}

double FourierSampler::size(const FourierJoint& joint, const ExcitationLimits& limits,
                            double growth) const {
  const VectorXd a = joint.a.cwiseQuotient(frequency_), b = joint.b.cwiseQuotient(frequency_);
  const VectorXd position = sines_ * a - cosines_ * b;
  const double middle = 0.5 * (position.maxCoeff() + position.minCoeff());
  const double half = 0.5 * growth * (position.maxCoeff() - position.minCoeff());
  const VectorXd velocity = cosines_ * joint.a + sines_ * joint.b;
  const VectorXd acceleration =
      cosines_ * frequency_.cwiseProduct(joint.b) - sines_ * frequency_.cwiseProduct(joint.a);
  const auto largest = [growth](const VectorXd& x) {
    return std::max(growth * x.cwiseAbs().maxCoeff(), 1e-12);
  };
  return std::min(
      {factor_within(joint.centre, middle - half, middle + half, limits.lower, limits.upper),
       limits.velocity / largest(velocity), limits.acceleration / largest(acceleration)});
}

double FourierSampler::size_at_all_times(const FourierJoint& joint,
                                         const ExcitationLimits& limits) const {
  // A trigonometric polynomial of degree n is at most max |samples| / cos(pi n / samples).
  const double angle =
      M_PI * static_cast<double>(frequency_.size()) / static_cast<double>(sines_.rows());
  return size(joint, limits, 1.0 / std::cos(angle));
}

void FourierSampler::sample(const FourierMotion& motion,
                            const std::vector<ExcitationLimits>& limits, SampledMotion& out) const {
  const auto joints = static_cast<Index>(motion.size());
  for (MatrixXd* const m : {&out.q, &out.v, &out.a}) m->resize(joints, sines_.rows());
  for (Index k = 0; k < joints; ++k) {
    const FourierJoint& joint = motion[to_size(k)];
    if (!limits[to_size(k)].moves()) {
      out.q.row(k).setConstant(limits[to_size(k)].lower);
      out.v.row(k).setZero();
      out.a.row(k).setZero();
      continue;
    }
    const double factor = joint.amplitude * size(joint, limits[to_size(k)]);
    const VectorXd a = factor * joint.a, b = factor * joint.b;
    out.q.row(k) =
        (sines_ * a.cwiseQuotient(frequency_) - cosines_ * b.cwiseQuotient(frequency_)).transpose();
    out.q.row(k).array() += joint.centre;
    out.v.row(k) = (cosines_ * a + sines_ * b).transpose();
    out.a.row(k) =
        (cosines_ * frequency_.cwiseProduct(b) - sines_ * frequency_.cwiseProduct(a)).transpose();
  }
}

}  // namespace spatial_dynamics
