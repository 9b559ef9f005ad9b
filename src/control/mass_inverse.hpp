// Accelerations by torques, and torques by accelerations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "robot_dynamics.hpp"

namespace spatial_dynamics {

/// (M(q) + diag(added))^-1, by columns that are computed on demand. Construction allocates;
/// everything else is real-time safe.
class MassInverse {
 public:
  explicit MassInverse(const Model& model)
      : q_(VectorXd::Zero(model.nq())),
        added_(VectorXd::Zero(model.nv())),
        columns_(MatrixXd::Zero(model.nv(), model.nv())),
        known_(to_size(model.nv()), std::uint8_t{0}) {}

  /// Returns false if the matrix is singular; no other function may be called then. `robot` must
  /// outlive the other calls. `added`: none if null.
  [[nodiscard]] bool factorise(RobotDynamics& robot, const VectorXd& q,
                               const VectorXd* added = nullptr) noexcept {
    robot_ = &robot;
    q_ = q;
    if (added != nullptr) {
      added_ = *added;
    } else {
      added_.setZero();
    }
    std::fill(known_.begin(), known_.end(), std::uint8_t{0});
    return robot.factorise(q_, added_);
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
  [[nodiscard]] double least(Index i) noexcept {
    (void)robot_->factorise(q_, added_);
    return robot_->inverse_pivot(i);
  }
  /// x <- the inverse times x.
  void solve(VectorXd& x) noexcept { solve_in_place(x.data()); }

  /// Coordinates of which the acceleration is given instead of the torque: see
  /// dynamics/mass_factor.hpp. prepare_locked() once, then solve_locked() any number of times.
  void prepare_locked() noexcept { robot_->prepare_locked(q_, added_); }
  [[nodiscard]] bool solve_locked(const std::vector<std::uint8_t>& locked, VectorXd& x,
                                  VectorXd& torque) noexcept {
    return robot_->solve_locked(locked.data(), x.data(), torque.data());
  }

 private:
  /// The robot may have computed something else since.
  void solve_in_place(double* x) noexcept {
    (void)robot_->factorise(q_, added_);
    robot_->solve_factorised(x);
  }

  RobotDynamics* robot_ = nullptr;
  VectorXd q_, added_;
  MatrixXd columns_;
  std::vector<std::uint8_t> known_;
};

}  // namespace spatial_dynamics
