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
constexpr double kConverged = 1e-10;   // expected decrease of the sum, relative
constexpr double kLeastRadius = 2e-3;  // m, of a body whose URDF has a point or a thin rod
constexpr double kLeastStep = 1e-12;   // share of Newton's step

/// The distance of parameters to the model, as a convex function with a barrier: it grows without
/// bound towards inertias that no body has.
class Distance {
 public:
  Distance(const BaseParameters& base, const ConsistentFitOptions& options)
      : base_(base), options_(options), start_(values_in_model(base.parameters)), p0_(start_) {
    for (Index i = 0; i < p0_.size();) {
      if (base.parameters[to_size(i)].kind != ParameterKind::kInertial) {
        others_.push_back(i++);
        continue;
      }
      const PseudoInertia J = with_least_spread(pseudo_inertia(p0_.segment<10>(i)), kLeastRadius);
      start_.segment<10>(i) = parameters_of(J);
      bodies_.push_back({i, trace_gradient(J), std::log(J.determinant())});
      i += kInertialParameters;
    }
  }

  [[nodiscard]] const VectorXd& start() const noexcept { return start_; }

  /// Infinite for a body that is not possible.
  [[nodiscard]] double value(const VectorXd& p) const {
    double sum = 0.0;
    for (const Body& body : bodies_) {
      const Eigen::LLT<PseudoInertia> llt(pseudo_inertia(p.segment<10>(body.first)));
      if (llt.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
      const PseudoInertia L = llt.matrixL();
      const double log_det = 2.0 * L.diagonal().array().log().sum();
      sum += weight() * (body.trace.dot(p.segment<10>(body.first)) - log_det + body.log_det - 4.0);
    }
    for (const Index i : others_) {
      const double change = (p(i) - p0_(i)) / options_.error(i);
      sum += 0.5 * change * change;
    }
    return sum;
  }

  [[nodiscard]] VectorXd gradient(const VectorXd& p) const {
    VectorXd result = VectorXd::Zero(p.size());
    for (const Body& body : bodies_) {
      const Index i = body.first;
      // d log det J = tr(J^-1 dJ)
      result.segment<10>(i) =
          weight() * (body.trace - trace_gradient(pseudo_inertia(p.segment<10>(i))));
    }
    for (const Index i : others_) {
      result(i) = (p(i) - p0_(i)) / (options_.error(i) * options_.error(i));
    }
    return result;
  }

  [[nodiscard]] MatrixXd hessian(const VectorXd& p) const {
    MatrixXd matrix = MatrixXd::Zero(p.size(), p.size());
    for (const Body& body : bodies_) {
      const Index i = body.first;
      matrix.block<10, 10>(i, i) = weight() * relative_metric(pseudo_inertia(p.segment<10>(i)));
    }
    for (const Index i : others_) matrix(i, i) = 1.0 / (options_.error(i) * options_.error(i));
    return matrix;
  }

  /// Parameters that may not change in a step along -gradient from p.
  [[nodiscard]] std::vector<bool> fixed(const VectorXd& p, const VectorXd& gradient) const {
    std::vector<bool> result(base_.parameters.size(), false);
    for (const Index i : others_) {
      const bool at_bound = is_positive(i) && p(i) <= 0.0 && gradient(i) > 0.0;
      result[to_size(i)] = options_.held[to_size(i)] || at_bound;
    }
    return result;
  }

  /// Moves parameters below their bound to it.
  void project(VectorXd& p) const {
    for (const Index i : others_) {
      if (is_positive(i)) p(i) = std::max(p(i), 0.0);
    }
  }

 private:
  struct Body {
    Index first;  // of its ten parameters
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
  VectorXd start_, p0_;  // p0: of the model, start: of possible bodies near it
  std::vector<Body> bodies_;
  std::vector<Index> others_;
};

/// Newton's step; fixed parameters do not change.
VectorXd newton_step(const MatrixXd& hessian, const VectorXd& gradient,
                     const std::vector<bool>& fixed) {
  // Scaled to a unit diagonal: the units of the parameters differ.
  const VectorXd scale = hessian.diagonal().cwiseSqrt().cwiseInverse();
  MatrixXd H = scale.asDiagonal() * hessian * scale.asDiagonal();
  VectorXd g = scale.cwiseProduct(gradient);
  for (Index i = 0; i < g.size(); ++i) {
    if (!fixed[to_size(i)]) continue;
    H.row(i).setZero();
    H.col(i).setZero();
    H(i, i) = 1.0;
    g(i) = 0.0;
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
  const Distance distance(base, options);
  const MatrixXd A = equations.A * base.combination, squares = A.transpose() * A;
  const auto residual = [&](const VectorXd& p) -> VectorXd {
    return equations.A * (base.combination * p) - equations.b;
  };
  const auto sum_at = [&](const VectorXd& p) {
    return 0.5 * residual(p).squaredNorm() + distance.value(p);
  };
  ConsistentFit fit;
  VectorXd p = distance.start();
  double sum = sum_at(p);
  for (; fit.iterations < kMostIterations; ++fit.iterations) {
    const VectorXd gradient = A.transpose() * residual(p) + distance.gradient(p);
    const VectorXd step =
        newton_step(squares + distance.hessian(p), gradient, distance.fixed(p, gradient));
    if (-gradient.dot(step) <= kConverged * (1.0 + std::abs(sum))) break;
    double share = 1.0;
    while (share > kLeastStep) {
      VectorXd next = p + share * step;
      distance.project(next);
      const double there = sum_at(next);
      if (!(there < sum)) {
        share *= 0.5;
        continue;
      }
      p = next;
      sum = there;
      break;
    }
    if (share <= kLeastStep) break;
  }
  fit.parameters = p;
  fit.uncertainty = compare_deviations(distance.hessian(p), squares);
  return fit;
}

}  // namespace spatial_dynamics
