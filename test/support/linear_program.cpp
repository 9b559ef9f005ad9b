#include "support/linear_program.hpp"

#include <vector>

namespace spatial_dynamics::test {
namespace {

using Index = Eigen::Index;
constexpr double kZero = 1e-9;

/// Rows: slack = rhs - sum(coefficient * variable). Column 0 is the artificial variable, the last
/// column the right side; the last row is the objective, which is to become zero.
class Tableau {
 public:
  Tableau(const MatrixXd& A, const VectorXd& b, const VectorXd& range)
      : rows_(b.size() + range.size()), columns_(range.size() + 1) {
    const Index n = range.size(), m = b.size();
    t_ = MatrixXd::Zero(rows_ + 1, columns_ + 1);
    for (Index i = 0; i < m; ++i) {
      // Rows of equal size, so that one tolerance fits all.
      const double scale = 1.0 / std::max(A.row(i).cwiseAbs().maxCoeff(), 1e-12);
      t_.block(i, 1, 1, n) = scale * A.row(i);
      t_(i, columns_) = scale * b(i);
    }
    t_.block(m, 1, n, n).setIdentity();
    t_.block(m, columns_, n, 1) = range;
    t_.block(0, 0, rows_, 1).setConstant(-1.0);
    t_(rows_, 0) = 1.0;  // minimise the artificial variable
    for (Index j = 0; j < columns_; ++j) nonbasic_.push_back(j);
    for (Index i = 0; i < rows_; ++i) basic_.push_back(columns_ + i);
  }

  bool feasible() {
    Index worst = 0;
    const double least = t_.col(columns_).head(rows_).minCoeff(&worst);
    if (least >= 0.0) return true;
    pivot(worst, 0);
    constexpr int kMostPivots = 20000;
    for (int k = 0; k < kMostPivots; ++k) {
      const Index column = entering();
      if (column < 0) break;
      const Index row = leaving(column);
      if (row < 0) break;
      pivot(row, column);
    }
    return -t_(rows_, columns_) < 1e-7;
  }

  /// The variables but the artificial one.
  [[nodiscard]] VectorXd solution() const {
    VectorXd x = VectorXd::Zero(columns_ - 1);
    for (Index i = 0; i < rows_; ++i) {
      const Index variable = basic_[at(i)];
      if (variable >= 1 && variable < columns_) x(variable - 1) = t_(i, columns_);
    }
    return x;
  }

 private:
  /// The column of the smallest variable that reduces the objective; -1: none.
  [[nodiscard]] Index entering() const {
    Index best = -1;
    for (Index j = 0; j < columns_; ++j) {
      if (t_(rows_, j) >= -kZero) continue;
      if (best < 0 || nonbasic_[at(j)] < nonbasic_[at(best)]) best = j;
    }
    return best;
  }
  [[nodiscard]] Index leaving(Index column) const {
    Index best = -1;
    double least = 0.0;
    for (Index i = 0; i < rows_; ++i) {
      if (t_(i, column) <= kZero) continue;
      const double ratio = t_(i, columns_) / t_(i, column);
      const bool ties = best >= 0 && ratio == least && basic_[at(i)] < basic_[at(best)];
      if (best >= 0 && ratio >= least && !ties) continue;
      best = i;
      least = ratio;
    }
    return best;
  }
  void pivot(Index row, Index column) {
    const double inverse = 1.0 / t_(row, column);
    const VectorXd factor = t_.col(column);
    t_.row(row) *= inverse;
    t_(row, column) = inverse;
    for (Index i = 0; i <= rows_; ++i) {
      if (i == row || factor(i) == 0.0) continue;
      t_(i, column) = 0.0;
      t_.row(i) -= factor(i) * t_.row(row);
    }
    std::swap(basic_[at(row)], nonbasic_[at(column)]);
  }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Index rows_, columns_;
  MatrixXd t_;
  std::vector<Index> basic_, nonbasic_;
};

}  // namespace

std::optional<VectorXd> find_solution(const MatrixXd& A, const VectorXd& b, const VectorXd& lower,
                                      const VectorXd& upper) {
  Tableau tableau(A, b - A * lower, upper - lower);
  if (!tableau.feasible()) return std::nullopt;
  return VectorXd((lower + tableau.solution()).cwiseMax(lower).cwiseMin(upper));
}

}  // namespace spatial_dynamics::test
