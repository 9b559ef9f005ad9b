#include "identification/joint_equations.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr Index kRowsAtOnce = 256;

/// The upper triangle of a matrix's QR factorisation, in place. Returns its number of rows.
Index triangularise(Eigen::Ref<MatrixXd> rows) {
  const Index kept = std::min(rows.rows(), rows.cols());
  Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(rows);  // in place
  for (Index i = 0; i < kept; ++i) rows.row(i).head(i).setZero();
  return kept;
}

}  // namespace

JointEquations::JointEquations(Index unknowns)
    : rows_(MatrixXd::Zero(unknowns + 2 + kRowsAtOnce, unknowns + 2)) {}

void JointEquations::add(const Eigen::Ref<const Eigen::RowVectorXd>& y, double known,
                         double effort) {
  if (filled_ == rows_.rows()) reduce();
  const Index n = rows_.cols() - 2;
  rows_.row(filled_).head(n) = y;
  rows_(filled_, n) = known;
  rows_(filled_, n + 1) = effort;
  ++filled_;
  count_ += 1.0;
}

void JointEquations::add(const JointEquations& other) {
  for (Index i = 0; i < other.filled_; ++i) {
    if (filled_ == rows_.rows()) reduce();
    rows_.row(filled_++) = other.rows_.row(i);
  }
  count_ += other.count_;
}

void JointEquations::reduce() {
  if (filled_ == triangle_rows_) return;
  filled_ = triangle_rows_ = triangularise(rows_.topRows(filled_));
}

const MatrixXd& JointEquations::triangle() {
  reduce();
  triangle_ = rows_.topRows(filled_);
  return triangle_;
}

double JointEquations::mean_square(const VectorXd& x, double gain) {
  reduce();
  if (count_ == 0.0) return 0.0;
  const Index n = rows_.cols() - 2;
  const auto R = rows_.topRows(filled_);
  const VectorXd left = R.leftCols(n) * x + R.col(n) - gain * R.col(n + 1);
  return left.squaredNorm() / count_;
}

WeightedEquations weigh_equations(std::vector<JointEquations>& joints, const VectorXd& weights,
                                  const VectorXd& gains) {
  Index rows = 0, unknowns = 0;
  for (JointEquations& joint : joints) {
    rows += joint.triangle().rows();
    unknowns = joint.triangle().cols() - 2;
  }
  MatrixXd stack = MatrixXd::Zero(std::max(rows, unknowns + 1), unknowns + 1);
  Index at = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const MatrixXd& R = joints[k].triangle();
    const auto i = static_cast<Index>(k);
    const double root = std::sqrt(weights(i));
    stack.middleRows(at, R.rows()).leftCols(unknowns) = root * R.leftCols(unknowns);
    stack.col(unknowns).segment(at, R.rows()) =
        root * (gains(i) * R.col(unknowns + 1) - R.col(unknowns));
    at += R.rows();
  }
  triangularise(stack);
  return {stack.topLeftCorner(unknowns, unknowns), stack.col(unknowns).head(unknowns)};
}

}  // namespace spatial_dynamics
