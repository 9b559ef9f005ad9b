#include "identification/consistent_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "identification/pseudo_inertia.hpp"
#include "identification/robot_regressor.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kMostIterations = 200;
constexpr double kConverged = 1e-10;   // relative decrease of the sum
constexpr double kLeastRadius = 2e-3;  // m, of a body whose URDF has a point or a thin rod
constexpr double kFirstDamping = 1e-6, kMostDamping = 1e12;

/// Parameters p, with ten of each body in a row, as a function of unconstrained numbers z: the
/// log-Cholesky parameters of bodies, and the other parameters themselves.
class Chart {
 public:
  Chart(const BaseParameters& base, const ConsistentFitOptions& options)
      : base_(base), options_(options), p0_(values_in_model(base.parameters)) {
    for (Index i = 0; i < p0_.size();) {
      if (base.parameters[to_size(i)].kind != ParameterKind::kInertial) {
        others_.push_back(i++);
        continue;
      }
      PseudoInertia J = pseudo_inertia(p0_.segment<10>(i));
      J = with_least_spread(J, kLeastRadius);
      bodies_.push_back({i, J, trace_gradient(J), std::log(J.determinant())});
      i += kInertialParameters;
    }
  }

  [[nodiscard]] VectorXd start() const {
    VectorXd z = p0_;
    for (const Body& body : bodies_) z.segment<10>(body.first) = log_cholesky(body.J0);
    return z;
  }

  [[nodiscard]] VectorXd parameters(const VectorXd& z) const {
    VectorXd p = z;
    for (const Body& body : bodies_) {
      p.segment<10>(body.first) = parameters_of(pseudo_inertia_of(z.segment<10>(body.first)));
    }
    return p;
  }

  [[nodiscard]] double distance(const VectorXd& z, const VectorXd& p) const {
    double sum = 0.0;
    for (const Body& body : bodies_) {
      const double log_det = log_determinant_gradient().dot(z.segment<10>(body.first));
      sum += weight() * (body.trace.dot(p.segment<10>(body.first)) - log_det + body.log_det - 4.0);
    }
    for (const Index i : others_) {
      const double change = (z(i) - p0_(i)) / options_.error(i);
      sum += 0.5 * change * change;
    }
    return sum;
  }

  /// Gradient and Gauss-Newton matrix of the whole sum in z, from those of the squares in p.
  void pull_back(const VectorXd& z, VectorXd& gradient, MatrixXd& hessian) const {
    const VectorXd p = parameters(z);
    MatrixXd jacobian = MatrixXd::Identity(z.size(), z.size());
    for (const Body& body : bodies_) {
      const Index i = body.first;
      jacobian.block<10, 10>(i, i) = parameters_jacobian(z.segment<10>(i));
      gradient.segment<10>(i) += weight() * body.trace;
      hessian.block<10, 10>(i, i) += weight() * relative_metric(pseudo_inertia(p.segment<10>(i)));
    }
    for (const Index i : others_) {
      const double square = options_.error(i) * options_.error(i);
      gradient(i) += (z(i) - p0_(i)) / square;
      hessian(i, i) += 1.0 / square;
    }
    gradient = (jacobian.transpose() * gradient).eval();
    hessian = (jacobian.transpose() * hessian * jacobian).eval();
    for (const Body& body : bodies_) {
      gradient.segment<10>(body.first) -= weight() * log_determinant_gradient();
    }
  }

  /// Numbers that may not change in a step along -gradient from z.
  [[nodiscard]] std::vector<bool> fixed(const VectorXd& z, const VectorXd& gradient) const {
    std::vector<bool> result(base_.parameters.size(), false);
    for (const Index i : others_) {
      const bool at_bound = is_positive(i) && z(i) <= 0.0 && gradient(i) > 0.0;
      result[to_size(i)] = options_.held[to_size(i)] || at_bound;
    }
    for (const Body& body : bodies_) {
      if (options_.hold_masses) result[to_size(body.first)] = true;
    }
    return result;
  }

  /// Moves numbers below their bound to it.
  void project(VectorXd& z) const {
    for (const Index i : others_) {
      if (is_positive(i)) z(i) = std::max(z(i), 0.0);
    }
  }

  /// The matrix of the distance alone, in p, at these parameters.
  [[nodiscard]] MatrixXd prior(const VectorXd& p) const {
    MatrixXd matrix = MatrixXd::Zero(p.size(), p.size());
    for (const Body& body : bodies_) {
      const Index i = body.first;
      matrix.block<10, 10>(i, i) = weight() * relative_metric(pseudo_inertia(p.segment<10>(i)));
    }
    for (const Index i : others_) matrix(i, i) = 1.0 / (options_.error(i) * options_.error(i));
    return matrix;
  }

 private:
  struct Body {
    Index first;  // of its ten parameters
    PseudoInertia J0;
    InertialParameters trace;
    double log_det;
  };

  [[nodiscard]] double weight() const noexcept {
    return 1.0 / (options_.inertia_error * options_.inertia_error);
  }
  [[nodiscard]] bool is_positive(Index i) const noexcept {
    return base_.parameters[to_size(i)].kind != ParameterKind::kOffset;
  }

  const BaseParameters& base_;
  const ConsistentFitOptions& options_;
  VectorXd p0_;
  std::vector<Body> bodies_;
  std::vector<Index> others_;
};

/// The step of Levenberg's method; fixed numbers do not change.
VectorXd damped_step(const MatrixXd& hessian, const VectorXd& gradient,
                     const std::vector<bool>& fixed, double damping) {
  // Scaled to a unit diagonal: the units of the numbers differ.
  const VectorXd scale = hessian.diagonal().cwiseSqrt().cwiseInverse();
  MatrixXd H = scale.asDiagonal() * hessian * scale.asDiagonal();
  VectorXd g = scale.cwiseProduct(gradient);
  for (Index i = 0; i < g.size(); ++i) {
    if (fixed[to_size(i)]) {
      H.row(i).setZero();
      H.col(i).setZero();
      H(i, i) = 1.0;
      g(i) = 0.0;
    }
    H(i, i) += damping;
  }
  return -scale.cwiseProduct(H.ldlt().solve(g));
}

/// Standard deviations of each parameter with the log, divided by those without.
VectorXd compare_deviations(const MatrixXd& prior, const MatrixXd& squares) {
  const VectorXd scale = prior.diagonal().cwiseSqrt().cwiseInverse();
  const auto deviations = [&](const MatrixXd& matrix) -> VectorXd {
    const MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
    const MatrixXd inverse = scaled.ldlt().solve(MatrixXd::Identity(scale.size(), scale.size()));
    return inverse.diagonal().cwiseMax(0.0).cwiseSqrt();
  };
  return deviations(prior + squares).cwiseQuotient(deviations(prior));
}

}  // namespace

ConsistentFit fit_consistently(const WeightedEquations& equations, const BaseParameters& base,
                               const ConsistentFitOptions& options) {
  const Chart chart(base, options);
  const MatrixXd A = equations.A * base.combination, squares = A.transpose() * A;
  const auto residual = [&](const VectorXd& p) -> VectorXd {
    return equations.A * (base.combination * p) - equations.b;
  };
  ConsistentFit fit;
  VectorXd z = chart.start(), p = chart.parameters(z);
  double sum = 0.5 * residual(p).squaredNorm() + chart.distance(z, p), damping = kFirstDamping;
  for (; fit.iterations < kMostIterations && damping < kMostDamping; ++fit.iterations) {
    VectorXd gradient = A.transpose() * residual(p);
    MatrixXd hessian = squares;
    chart.pull_back(z, gradient, hessian);
    const std::vector<bool> fixed = chart.fixed(z, gradient);
    double decrease = 0.0;
    while (damping < kMostDamping) {
      VectorXd next = z + damped_step(hessian, gradient, fixed, damping);
      chart.project(next);
      const VectorXd at = chart.parameters(next);
      const double there = 0.5 * residual(at).squaredNorm() + chart.distance(next, at);
      if (!(there <= sum)) {
        damping *= 10.0;
        continue;
      }
      decrease = sum - there;
      z = next;
      p = at;
      sum = there;
      damping = std::max(0.1 * damping, 1e-12);
      break;
    }
    if (decrease <= kConverged * (1.0 + std::abs(sum))) break;
  }
  fit.parameters = p;
  fit.uncertainty = compare_deviations(chart.prior(p), squares);
  return fit;
}

}  // namespace spatial_dynamics
