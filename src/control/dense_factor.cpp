#include "dense_factor.hpp"

#include <cmath>

namespace spatial_dynamics {

bool DenseFactor::factorise(const MatrixXd& A) noexcept {
  constexpr double kLeastPivot = 1e-12;  // of the diagonal: smaller ones are rounding errors
  const Index n = L_.rows();
  // L_jj^2 = A_jj - sum_k L_jk^2,  L_ij = (A_ij - sum_k L_ik L_jk) / L_jj, column by column.
  L_.triangularView<Eigen::Lower>() = A;
  for (Index j = 0; j < n; ++j) {
    const double pivot = L_(j, j);
    if (!(pivot > kLeastPivot * A(j, j))) return false;  // also for NaN
    const double inverse = 1.0 / std::sqrt(pivot);
    L_(j, j) = inverse;
    L_.col(j).tail(n - j - 1) *= inverse;
    for (Index k = j + 1; k < n; ++k) {
      const double factor = L_(k, j);
      if (factor != 0.0) L_.col(k).tail(n - k) -= factor * L_.col(j).tail(n - k);
    }
  }
  return true;
}

void DenseFactor::solve(const VectorXd& b, VectorXd& x) const noexcept {
  const Index n = L_.rows();
  x = b;  // L y = b, then L' x = y
  for (Index j = 0; j < n; ++j) {
    x(j) *= L_(j, j);
    x.tail(n - j - 1) -= x(j) * L_.col(j).tail(n - j - 1);
  }
  for (Index j = n - 1; j >= 0; --j) {
    x(j) = (x(j) - L_.col(j).tail(n - j - 1).dot(x.tail(n - j - 1))) * L_(j, j);
  }
}

}  // namespace spatial_dynamics
