#include "identification/base_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "identification/singular_values.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kReweighings = 4;
// A direction of the scaled equations with a smaller singular value, relative to the largest one,
// is not determined.
constexpr double kNotDetermined = 1e-6;
constexpr Index kTimeBlocks = 50;
constexpr double kRidge = 1e-11;      // on a diagonal of ones: directions that are not determined
constexpr double kLeastNoise = 1e-9;  // of the efforts, so that exact efforts have a weight

void solve(const WeightedEquations& equations, BaseFit& fit) {
  const Index n = equations.A.cols();
  VectorXd scale = equations.A.colwise().norm();
  const double largest = scale.maxCoeff();
  fit.determined.assign(to_size(n), true);
  for (Index i = 0; i < n; ++i) {
    const bool empty = !(scale(i) > 1e-12 * largest);
    scale(i) = empty ? 0.0 : 1.0 / scale(i);
    if (empty) fit.determined[to_size(i)] = false;
  }
  const MatrixXd scaled = equations.A * scale.asDiagonal();
  const SingularValues svd = singular_values(scaled);
  const VectorXd& s = svd.s;
  fit.x = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) {
    const VectorXd direction = svd.V.col(k);
    if (s(k) > kNotDetermined * s(0)) {
      fit.condition = s(0) / s(k);
      fit.x += direction * (svd.U.col(k).dot(equations.b) / s(k));
      continue;
    }
    for (Index i = 0; i < n; ++i) {
      if (direction(i) * direction(i) > 0.01) fit.determined[to_size(i)] = false;
    }
  }
  fit.x = scale.cwiseProduct(fit.x);
}

}  // namespace

BaseFit fit_base(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort) {
  const auto n = static_cast<Index>(joints.size());
  const VectorXd gains = VectorXd::Ones(n);
  const Index unknowns = joints.front().triangle().cols() - 2;
  BaseFit fit;
  VectorXd effort(n);
  for (Index k = 0; k < n; ++k) {
    effort(k) = joints[to_size(k)].mean_square(VectorXd::Zero(unknowns), 1.0) + 1e-12;
  }
  fit.weights = effort.cwiseInverse();
  for (int i = 0; i < kReweighings; ++i) {
    for (Index k = 0; k < n; ++k) {
      if (!has_effort[to_size(k)]) fit.weights(k) = 0.0;
    }
    fit.equations = weigh_equations(joints, fit.weights, gains);
    solve(fit.equations, fit);
    if (i + 1 == kReweighings) break;
    for (Index k = 0; k < n; ++k) {
      const double left = joints[to_size(k)].mean_square(fit.x, 1.0);
      fit.weights(k) = 1.0 / std::max(left, kLeastNoise * kLeastNoise * effort(k));
    }
  }
  return fit;
}

MatrixXd block_covariance(const BaseFit& fit, const FitSamples& samples,
                          const std::vector<bool>& has_effort, const MatrixXd& rates,
                          SampleEquations& equations) {
  const Index n = fit.x.size();
  const Index blocks = std::max<Index>(2, std::min(kTimeBlocks, samples.size() / 16));
  const MatrixXd normal = fit.equations.A.transpose() * fit.equations.A;
  VectorXd scale = normal.diagonal();
  for (Index i = 0; i < n; ++i) scale(i) = scale(i) > 0.0 ? 1.0 / std::sqrt(scale(i)) : 1.0;
  MatrixXd scatter = MatrixXd::Zero(n, n), of_block = scatter;
  VectorXd gradient = VectorXd::Zero(n);
  for (Index i = 0, block = 0; i < samples.size(); ++i) {
    equations.compute(samples, i, rates.col(i));
    const MatrixXd& Y = equations.matrix();
    const VectorXd left = samples.effort.col(i) - equations.known() - Y * fit.x;
    for (Index k = 0; k < left.size(); ++k) {
      if (!has_effort[to_size(k)]) continue;
      gradient += fit.weights(k) * left(k) * Y.row(k).transpose();
      of_block.selfadjointView<Eigen::Lower>().rankUpdate(Y.row(k).transpose(), fit.weights(k));
    }
    if ((i + 1) * blocks / samples.size() == block && i + 1 < samples.size()) continue;
    // The change of x if this block is left out.
    of_block = MatrixXd(of_block.selfadjointView<Eigen::Lower>());
    MatrixXd others = scale.asDiagonal() * (normal - of_block) * scale.asDiagonal();
    others.diagonal().array() += kRidge;
    const VectorXd change = scale.cwiseProduct(others.ldlt().solve(scale.cwiseProduct(gradient)));
    scatter += change * change.transpose();
    gradient.setZero();
    of_block.setZero();
    ++block;
  }
  const auto count = static_cast<double>(blocks);
  return (count - 1.0) / count * scatter;
}

}  // namespace spatial_dynamics
