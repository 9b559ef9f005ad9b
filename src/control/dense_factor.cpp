#include "dense_factor.hpp"

#include <cmath>

namespace spatial_dynamics {

bool DenseFactor::factorise(const MatrixXd& A, Index n) noexcept {
  constexpr double kLeastPivot = 1e-12;  // of the diagonal: smaller ones are rounding errors
  n_ = n;
  // L_ij = (A_ij - sum_k L_ik L_jk) / L_jj,  L_ii^2 = A_ii - sum_k L_ik^2, row by row.
  for (Index i = 0; i < n; ++i) {
    const double* const a = A.data() + i * A.rows();
    double* const row = rows_.data() + i * rows_.rows();
    for (Index j = 0; j < i; ++j) {
      const double* const other = rows_.data() + j * rows_.rows();
      row[j] = (a[j] - dot(row, other, j)) * other[j];
    }
    const double pivot = a[i] - dot(row, row, i);
    if (!(pivot > kLeastPivot * a[i])) return false;  // also for NaN
    row[i] = 1.0 / std::sqrt(pivot);
  }
  return true;
}

void DenseFactor::solve(VectorXd& x) const noexcept {
  // L y = x, then L' x = y
  for (Index i = 0; i < n_; ++i) {
    const double* const row = rows_.data() + i * rows_.rows();
    x(i) = (x(i) - dot(row, x.data(), i)) * row[i];
  }
  for (Index i = n_ - 1; i >= 0; --i) {
    const double* const row = rows_.data() + i * rows_.rows();
    const double x_i = x(i) * row[i];
    x(i) = x_i;
    for (Index j = 0; j < i; ++j) x(j) -= x_i * row[j];
  }
}

}  // namespace spatial_dynamics
