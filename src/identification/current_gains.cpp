#include "identification/current_gains.hpp"

#include <cmath>

#include "identification/singular_values.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kScaleNotDetermined = 1e-5;  // singular values of scaled columns
constexpr double kLeastGainShare = 0.05;      // of a direction that is not determined

/// The columns of free parameters, and the torque of masses that are held.
struct FreeColumns {
  MatrixXd combination;  ///< of base parameters, from free parameters
  VectorXd held;         ///< base parameters of the masses
};

FreeColumns free_columns(const BaseParameters& base, bool hold_masses) {
  FreeColumns result{MatrixXd(base.rank(), 0), VectorXd::Zero(base.rank())};
  for (Index i = 0; i < base.combination.cols(); ++i) {
    const RobotParameter& p = base.parameters[to_size(i)];
    if (hold_masses && p.kind == ParameterKind::kInertial && p.entry == 0) {
      result.held += p.in_model * base.combination.col(i);
      continue;
    }
    result.combination.conservativeResize(Eigen::NoChange, result.combination.cols() + 1);
    result.combination.rightCols<1>() = base.combination.col(i);
  }
  return result;
}

}  // namespace

VectorXd fit_current_gains(std::vector<JointEquations>& joints, const std::vector<bool>& has_effort,
                           const BaseParameters& base, bool hold_masses) {
  const FreeColumns columns = free_columns(base, hold_masses);
  const auto n = static_cast<Index>(joints.size());
  const Index free = columns.combination.cols(), rank = base.rank();
  MatrixXd A(0, free + n);
  VectorXd b(0);
  for (Index k = 0; k < n; ++k) {
    if (!has_effort[to_size(k)]) continue;
    const MatrixXd R = joints[to_size(k)].triangle();
    const double size = R.col(R.cols() - 1).norm();
    if (!(size > 0.0)) continue;
    const Index at = A.rows();
    A.conservativeResize(at + R.rows(), Eigen::NoChange);
    b.conservativeResize(at + R.rows());
    A.bottomRows(R.rows()).setZero();
    A.bottomRows(R.rows()).leftCols(free) = R.leftCols(rank) * columns.combination;
    A.bottomRows(R.rows()).col(free + k) = -R.col(R.cols() - 1);
    b.tail(R.rows()) = -(R.col(R.cols() - 2) + R.leftCols(rank) * columns.held);
  }
  VectorXd scale = A.colwise().norm();
  for (Index i = 0; i < scale.size(); ++i) scale(i) = scale(i) > 0.0 ? 1.0 / scale(i) : 0.0;
  const MatrixXd scaled = A * scale.asDiagonal();
  const SingularValues svd = singular_values(scaled);
  VectorXd x = VectorXd::Zero(free + n);
  for (Index i = 0; i < svd.s.size(); ++i) {
    const VectorXd direction = svd.V.col(i);
    const double s = svd.s(i);
    if (s > kScaleNotDetermined * svd.s(0)) {
      x += direction * (svd.U.col(i).dot(b) / s);
    } else if (scale.tail(n).cwiseProduct(direction.tail(n)).norm() >
               kLeastGainShare * scale.tail(n).norm()) {
      throw LogError(
          "the efforts are currents, and nothing in the logs determines their scale; add a log "
          "with a known payload (--log-payload) to one without, or give --hold-masses.");
    }
  }
  VectorXd gains = scale.cwiseProduct(x).tail(n);
  for (Index k = 0; k < n; ++k) {
    if (gains(k) == 0.0) gains(k) = 1.0;
  }
  if (b.norm() == 0.0) {
    throw LogError(
        "the efforts are currents, and no payload and no mass is known, so that their scale can't "
        "be determined; add a log with a known payload, or give --hold-masses.");
  }
  return gains;
}

}  // namespace spatial_dynamics
