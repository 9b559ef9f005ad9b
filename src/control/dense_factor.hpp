// Cholesky's factor of a dense matrix.
#pragma once

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// A = L L'. Eigen's decompositions allocate for large matrices; this one does not. Construction
/// allocates; everything else is real-time safe.
class DenseFactor {
 public:
  explicit DenseFactor(Index n) : L_(MatrixXd::Zero(n, n)) {}

  /// Reads the lower triangle. Returns false if A is not positive definite.
  [[nodiscard]] bool factorise(const MatrixXd& A) noexcept;
  /// x = A^-1 b.
  void solve(const VectorXd& b, VectorXd& x) const noexcept;

 private:
  MatrixXd L_;  // lower triangle; the inverse of the diagonal on the diagonal
};

}  // namespace spatial_dynamics
