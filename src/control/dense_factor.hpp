// Cholesky's factor of a dense matrix.
#pragma once

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// The product of n numbers with n others.
inline double dot(const double* a, const double* b, Index n) noexcept {
  return Eigen::Map<const VectorXd>(a, n).dot(Eigen::Map<const VectorXd>(b, n));
}

/// A = L L'. Eigen's decompositions allocate for large matrices; this one does not. Construction
/// allocates; everything else is real-time safe.
class DenseFactor {
 public:
  explicit DenseFactor(Index most) : rows_(MatrixXd::Zero(most, most)) {}

  /// Reads the upper triangle of the first n rows and columns. Returns false if they are not
  /// positive definite.
  [[nodiscard]] bool factorise(const MatrixXd& A, Index n) noexcept;
  /// The first n numbers: x <- A^-1 x.
  void solve(VectorXd& x) const noexcept;

 private:
  MatrixXd rows_;  // column i: row i of L, with the inverse of its diagonal
  Index n_ = 0;
};

}  // namespace spatial_dynamics
