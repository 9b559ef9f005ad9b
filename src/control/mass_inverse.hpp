// Accelerations by torques, and torques by accelerations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "robot_dynamics.hpp"

namespace spatial_dynamics {

/// (M(q) + diag(added))^-1. Construction allocates; everything else is real-time safe.
class MassInverse {
 public:
  explicit MassInverse(const Model& model)
      : q_(VectorXd::Zero(model.nq())),
        added_(VectorXd::Zero(model.nv())),
        least_(added_),
        columns_(MatrixXd::Zero(model.nv(), model.nv())),
        known_(to_size(model.nv()), std::uint8_t{0}) {}

  /// Returns false if the matrix is singular; no other function may be called then. `robot` must
  /// outlive the other calls.
  [[nodiscard]] bool factorise(RobotDynamics& robot, const VectorXd& q,
                               const VectorXd& added) noexcept {
    robot_ = &robot;
    q_ = q;
    return add(added);
  }
  /// The same with another `added`.
  [[nodiscard]] bool add(const VectorXd& added) noexcept {
    added_ = added;
    const std::uint64_t factor = robot_->factorise(q_, added_);
    if (factor == 0) return false;
    if (factor == factor_) return true;
    factor_ = factor;
    std::fill(known_.begin(), known_.end(), std::uint8_t{0});
    least_ = Eigen::Map<const VectorXd>(robot_->inverse_pivots(), least_.size());
    return true;
  }

  /// Column i: the accelerations that a torque of 1 on coordinate i adds. Valid until the next
  /// factorise().
  [[nodiscard]] Eigen::Ref<const VectorXd> column(Index i) noexcept {
    if (known_[to_size(i)] == 0) {
      columns_.col(i).setZero();
      columns_(i, i) = 1.0;
      solve_in_place(columns_.col(i).data());
      known_[to_size(i)] = 1;
    }
    return columns_.col(i);
  }
  /// A lower estimate of entry (i, i) that costs nothing.
  [[nodiscard]] double least(Index i) const noexcept { return least_(i); }
  /// x <- the inverse times x.
  void solve(VectorXd& x) noexcept { solve_in_place(x.data()); }

  /// Solves (M(q) + diag(added)) x = torque, where x of the locked coordinates and the torques of
  /// the others are given. On entry `x` has what is given; on return all of x, and `torque` all
  /// torques. Returns false if the matrix is singular.
  [[nodiscard]] bool solve_locked(const std::vector<std::uint8_t>& locked, VectorXd& x,
                                  VectorXd& torque) noexcept {
    // The matrix is kept when the factor is lost.
    return robot_->solve_locked(locked.data(), x.data(), torque.data());
  }

 private:
  /// The robot may have discarded the factor since.
  void solve_in_place(double* x) noexcept {
    if (robot_->factor() != factor_) factor_ = robot_->factorise(q_, added_);
    robot_->solve_factorised(x);
  }

  RobotDynamics* robot_ = nullptr;
  std::uint64_t factor_ = 0;
  VectorXd q_, added_, least_;
  MatrixXd columns_;
  std::vector<std::uint8_t> known_;
};

}  // namespace spatial_dynamics
