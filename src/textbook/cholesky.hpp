// An in-place Cholesky factorisation that never allocates.
#pragma once

#include <cmath>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics::textbook {

/// A pivot below this fraction of its value before elimination is rounding error, not inertia.
inline constexpr double kSingularPivot = 1e-14;

/// A = L L' from A's lower half, written over it. False if A is not positive definite within
/// rounding. Real-time safe. (Eigen's LLT is blocked above 32 rows and may then allocate.)
template <typename Matrix>
[[nodiscard]] bool factorise_in_place(Matrix& A) noexcept {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double before = A(j, j);
    const double pivot = before - A.row(j).head(j).squaredNorm();
    if (!(pivot > kSingularPivot * before) || !(before > 0.0)) return false;
    const double root = std::sqrt(pivot);
    A(j, j) = root;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      A(i, j) = (A(i, j) - A.row(i).head(j).dot(A.row(j).head(j))) / root;
    }
  }
  return true;
}

/// x <- (L L')^-1 x. Real-time safe.
template <typename Matrix, typename Vector>
void solve_in_place(const Matrix& L, Vector& x) noexcept {
  const Eigen::Index n = L.rows();
  for (Eigen::Index i = 0; i < n; ++i) {
    x(i) = (x(i) - L.row(i).head(i).dot(x.head(i))) / L(i, i);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    x(i) = (x(i) - L.col(i).tail(n - 1 - i).dot(x.tail(n - 1 - i))) / L(i, i);
  }
}

}  // namespace spatial_dynamics::textbook
