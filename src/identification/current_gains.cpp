#include "identification/current_gains.hpp"

#include <cmath>

#include "identification/singular_values.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kNoEffect = 1e-7;  // of singular values

/// Equations A (base parameters, gains) = b.
struct GainEquations {
  MatrixXd A;
  VectorXd b;
};

GainEquations stack_equations(std::vector<JointEquations>& joints,
                              const std::vector<bool>& has_effort, Index rank) {
  const auto n = static_cast<Index>(joints.size());
  GainEquations stack{MatrixXd(0, rank + n), VectorXd(0)};
  for (Index k = 0; k < n; ++k) {
    if (!has_effort[to_size(k)]) continue;
    const MatrixXd R = joints[to_size(k)].triangle();
    if (!(R.col(R.cols() - 1).norm() > 0.0)) continue;
    const Index at = stack.A.rows();
    stack.A.conservativeResize(at + R.rows(), Eigen::NoChange);
    stack.b.conservativeResize(at + R.rows());
    stack.A.bottomRows(R.rows()).setZero();
    stack.A.bottomRows(R.rows()).leftCols(rank) = R.leftCols(rank);
    stack.A.bottomRows(R.rows()).col(rank + k) = -R.col(R.cols() - 1);
    stack.b.tail(R.rows()) = -R.col(R.cols() - 2);
  }
  return stack;
}

/// The factors of currents.
VectorXd solve_gains(const GainEquations& stack, Index joints) {
  VectorXd scale = stack.A.colwise().norm();
  for (Index i = 0; i < scale.size(); ++i) scale(i) = scale(i) > 0.0 ? 1.0 / scale(i) : 0.0;
  const MatrixXd scaled = stack.A * scale.asDiagonal();
  const SingularValues svd = singular_values(scaled);
  VectorXd x = VectorXd::Zero(scale.size());
  for (Index i = 0; i < svd.s.size(); ++i) {
    if (svd.s(i) > kNoEffect * svd.s(0)) {
      x += svd.V.col(i) * (svd.U.col(i).dot(stack.b) / svd.s(i));
    }
  }
  return scale.cwiseProduct(x).tail(joints);
}

}  // namespace

VectorXd fit_current_gains(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort,
                           Index rank, bool known_payload) {
  if (!known_payload) {
    throw LogError(
        "the efforts are currents, and nothing in the logs determines their scale; add a log "
        "with a known payload (--log-payload) to one without.");
  }
  const GainEquations stack = stack_equations(joints, has_effort, rank);
  VectorXd gains = solve_gains(stack, static_cast<Index>(joints.size()));
  for (Index k = 0; k < gains.size(); ++k) {
    if (!has_effort[to_size(k)]) gains(k) = 1.0;
    if (gains(k) > 0.0) continue;
    throw LogError(
        "the efforts are currents, and the factors to efforts can't be determined, or one of them "
        "is negative; record a motion of `excite` with a heavier payload.");
  }
  return gains;
}

}  // namespace spatial_dynamics
