// Columns of the inverse of a mass matrix, computed on demand.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// M^-1 by its Cholesky factor M = L L'. Eigen's decompositions allocate for large matrices; this
/// one does not. Construction allocates; everything else is real-time safe.
class MassInverse {
 public:
  explicit MassInverse(Index nv)
      : L_(MatrixXd::Zero(nv, nv)), columns_(L_), known_(to_size(nv), std::uint8_t{0}) {}

  /// Returns false if M is not positive definite; the columns are then without meaning.
  [[nodiscard]] bool factorise(const MatrixXd& M) noexcept;
  /// Column i of M^-1: the accelerations that a torque of 1 on coordinate i adds. Valid until the
  /// next factorise().
  [[nodiscard]] Eigen::Ref<const VectorXd> column(Index i) noexcept {
    if (known_[to_size(i)] == 0) solve(i);
    return columns_.col(i);
  }

  /// x = M^-1 b.
  void solve(const VectorXd& b, VectorXd& x) const noexcept;

 private:
  void solve(Index i) noexcept;
  void solve_in_place(Index begin, Eigen::Ref<VectorXd> x) const noexcept;

  MatrixXd L_;  // lower triangle; the inverse of the diagonal on the diagonal
  MatrixXd columns_;
  std::vector<std::uint8_t> known_;
};

}  // namespace spatial_dynamics
