#include "identification/current_gains.hpp"

#include <cmath>

#include "identification/singular_values.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kNoEffect = 1e-7;   // of singular values
constexpr double kSizeWeight = 1e3;  // of the equation that sets the scale

/// The columns of free parameters, and the torque of masses that are held.
struct FreeColumns {
  MatrixXd combination;        ///< of base parameters, from free parameters
  std::vector<bool> inertial;  ///< per free parameter
  VectorXd values;             ///< of the model, per free parameter
  VectorXd held;               ///< base parameters of the masses
};

FreeColumns free_columns(const BaseParameters& base, bool hold_masses) {
  FreeColumns result{MatrixXd(base.rank(), 0), {}, VectorXd(0), VectorXd::Zero(base.rank())};
  for (Index i = 0; i < base.combination.cols(); ++i) {
    const RobotParameter& p = base.parameters[to_size(i)];
    if (hold_masses && p.kind == ParameterKind::kInertial && p.entry == 0) {
      result.held += p.in_model * base.combination.col(i);
      continue;
    }
    result.combination.conservativeResize(Eigen::NoChange, result.combination.cols() + 1);
    result.combination.rightCols<1>() = base.combination.col(i);
    result.inertial.push_back(p.kind == ParameterKind::kInertial);
    result.values.conservativeResize(result.values.size() + 1);
    result.values(result.values.size() - 1) = result.inertial.back() ? p.in_model : 0.0;
  }
  return result;
}

/// Equations A (free parameters, gains) = b.
struct GainEquations {
  MatrixXd A;
  VectorXd b;
};

GainEquations stack_equations(std::vector<JointEquations>& joints,
                              const std::vector<bool>& has_effort, Index rank,
                              const FreeColumns& columns) {
  const auto n = static_cast<Index>(joints.size());
  const Index free = columns.combination.cols();
  GainEquations stack{MatrixXd(0, free + n), VectorXd(0)};
  for (Index k = 0; k < n; ++k) {
    if (!has_effort[to_size(k)]) continue;
    const MatrixXd R = joints[to_size(k)].triangle();
    if (!(R.col(R.cols() - 1).norm() > 0.0)) continue;
    const Index at = stack.A.rows();
    stack.A.conservativeResize(at + R.rows(), Eigen::NoChange);
    stack.b.conservativeResize(at + R.rows());
    stack.A.bottomRows(R.rows()).setZero();
    stack.A.bottomRows(R.rows()).leftCols(free) = R.leftCols(rank) * columns.combination;
    stack.A.bottomRows(R.rows()).col(free + k) = -R.col(R.cols() - 1);
    stack.b.tail(R.rows()) = -(R.col(R.cols() - 2) + R.leftCols(rank) * columns.held);
  }
  return stack;
}

/// Adds that the torques of the inertial parameters have, on average, the size that the model gives
/// them: one equation, with a large weight.
void add_size_of_model(const FreeColumns& columns, GainEquations& stack) {
  const Index free = columns.combination.cols();
  const MatrixXd A = stack.A.leftCols(free);
  const VectorXd torque = A * columns.values;
  const Index at = stack.A.rows();
  stack.A.conservativeResize(at + 1, Eigen::NoChange);
  stack.b.conservativeResize(at + 1);
  const double weight = kSizeWeight / torque.norm();
  stack.A.row(at).setZero();
  stack.A.row(at).leftCols(free) = weight * (torque.transpose() * A);
  for (Index i = 0; i < free; ++i) {
    if (!columns.inertial[to_size(i)]) stack.A(at, i) = 0.0;
  }
  stack.b(at) = weight * torque.squaredNorm();
}

/// True if no other parameters can take the effect of the masses.
bool masses_show(const BaseParameters& base) {
  const FreeColumns columns = free_columns(base, true);
  const SingularValues svd = singular_values(columns.combination);
  VectorXd left = columns.held;
  for (Index i = 0; i < svd.s.size(); ++i) {
    if (svd.s(i) > kNoEffect * svd.s(0)) left -= svd.U.col(i) * svd.U.col(i).dot(columns.held);
  }
  return left.norm() > kNoEffect * columns.held.norm();
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
                           const BaseParameters& base, const KnownScale& known) {
  const bool by_masses = !known.payload && known.masses && masses_show(base);
  if (!known.payload && !known.masses) {
    throw LogError(
        "the efforts are currents, and nothing in the logs determines their scale; add a log "
        "with a known payload (--log-payload) to one without, or give --hold-masses.");
  }
  const FreeColumns columns = free_columns(base, by_masses);
  GainEquations stack = stack_equations(joints, has_effort, base.rank(), columns);
  if (!known.payload && !by_masses) add_size_of_model(columns, stack);
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
