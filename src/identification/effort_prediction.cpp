#include "identification/effort_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"

namespace spatial_dynamics {
namespace {

constexpr Index kMostCompared = 500;  // samples

}  // namespace

EffortPrediction::EffortPrediction(const LogEvidence& evidence)
    : evidence_(evidence), stride_(std::max<Index>(1, evidence.samples.size() / kMostCompared)) {}

VectorXd EffortPrediction::of_angles(double scale) const {
  VectorXd factors = VectorXd::Ones(evidence_.model.nv());
  for (const ScalarCoordinate& c : evidence_.coordinates) {
    if (is_angle(c)) factors(c.v) = scale;
  }
  return factors;
}

MatrixXd EffortPrediction::predict(double scale) const { return predict(of_angles(scale)); }

MatrixXd EffortPrediction::predict(const VectorXd& factors) const {
  Data data(evidence_.model, Dense::kNone);
  MatrixXd predicted(evidence_.model.nv(), (evidence_.samples.size() + stride_ - 1) / stride_);
  for (Index k = 0; k < predicted.cols(); ++k) {
    const Index i = k * stride_;
    const VectorXd q = factors.cwiseProduct(evidence_.samples.q.col(i)),
                   v = factors.cwiseProduct(evidence_.samples.v.col(i)),
                   a = factors.cwiseProduct(evidence_.samples.a.col(i));
    predicted.col(k) = inverse_dynamics(evidence_.model, data, q, v, a);
  }
  return predicted;
}

VectorXd EffortPrediction::measured(Index row) const {
  VectorXd effort((evidence_.samples.size() + stride_ - 1) / stride_);
  for (Index k = 0; k < effort.size(); ++k) effort(k) = evidence_.samples.effort(row, k * stride_);
  return effort;
}

double EffortPrediction::residual_share(double scale) const {
  return residual_share(of_angles(scale));
}

double EffortPrediction::residual_share(const VectorXd& factors) const {
  const MatrixXd predicted = predict(factors);
  double squares = 0.0, joints = 0.0;
  for (const ScalarCoordinate& c : evidence_.coordinates) {
    if (!evidence_.samples.has_effort[to_size(c.v)]) continue;
    const VectorXd effort = measured(c.v);
    const VectorXd residual = effort - predicted.row(c.v).transpose();
    squares += residual.squaredNorm() / (effort.squaredNorm() + 1e-12);
    joints += 1.0;
  }
  return std::sqrt(squares / joints);
}

}  // namespace spatial_dynamics
