#include "mass_inverse.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {

bool MassInverse::factorise(const MatrixXd& M) noexcept {
  std::fill(known_.begin(), known_.end(), std::uint8_t{0});
  constexpr double kLeastPivot = 1e-12;  // of the diagonal: smaller ones are rounding errors
  const Index n = L_.rows();
  // L_jj^2 = M_jj - sum_k L_jk^2,  L_ij = (M_ij - sum_k L_ik L_jk) / L_jj, column by column.
  L_.triangularView<Eigen::Lower>() = M;
  for (Index j = 0; j < n; ++j) {
    const double pivot = L_(j, j);
    if (!(pivot > kLeastPivot * M(j, j))) return false;  // also for NaN
    const double inverse = 1.0 / std::sqrt(pivot);
    L_(j, j) = inverse;
    for (Index i = j + 1; i < n; ++i) L_(i, j) *= inverse;
    for (Index k = j + 1; k < n; ++k) {
      const double factor = L_(k, j);
      if (factor == 0.0) continue;  // joints of different branches
      for (Index i = k; i < n; ++i) L_(i, k) -= factor * L_(i, j);
    }
  }
  return true;
}

void MassInverse::solve(Index i) noexcept {
  known_[to_size(i)] = 1;
  columns_.col(i).setZero();
  columns_(i, i) = 1.0;
  solve_in_place(i, columns_.col(i));
}

void MassInverse::solve(const VectorXd& b, VectorXd& x) const noexcept {
  x = b;
  solve_in_place(0, x);
}

/// L y = x, then L' x = y. The first `begin` numbers are zero.
void MassInverse::solve_in_place(Index begin, Eigen::Ref<VectorXd> x) const noexcept {
  const Index n = L_.rows();
  for (Index j = begin; j < n; ++j) {
    if (x(j) == 0.0) continue;
    x(j) *= L_(j, j);
    for (Index k = j + 1; k < n; ++k) x(k) -= L_(k, j) * x(j);
  }
  for (Index j = n - 1; j >= 0; --j) {
    double sum = x(j);
    for (Index k = j + 1; k < n; ++k) sum -= L_(k, j) * x(k);
    x(j) = sum * L_(j, j);
  }
}

}  // namespace spatial_dynamics
