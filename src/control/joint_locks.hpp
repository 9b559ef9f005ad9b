// Joints that are held while others are guided by hand.
#pragma once

#include <cmath>

#include "ramp.hpp"
#include "reference_tracker.hpp"

namespace spatial_dynamics {

/// Holds each locked joint at the position where it was locked. Locking and releasing a joint is
/// ramped. A joint that is locked again while its release is ramped keeps its position.
/// Construction allocates; everything else is real-time safe.
class JointLocks {
 public:
  JointLocks(Index nv, Index scalars)
      : weight_(nv),
        none_(VectorXd::Zero(nv)),
        held_(VectorXd::Zero(scalars)),
        error_(VectorXd::Zero(scalars)) {}

  /// `locked` has nv numbers: 1 for a locked joint, 0 for another one.
  void update_settings(const VectorXd& locked, const RampStep& step) noexcept {
    weight_.update(locked, step);
  }
  /// Releases all joints at once. The next update_settings() begins to lock them where they are.
  void release() noexcept { weight_.jump(none_); }

  /// One cycle.
  void update(const Coordinates& coordinates, const VectorXd& q) noexcept {
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const ScalarCoordinate& c = coordinates[k];
      const auto i = static_cast<Index>(k);
      if (weight_.now()(c.v) == 0.0) {
        held_(i) = q(c.q);
        error_(i) = 0.0;
        continue;
      }
      const double error = held_(i) - q(c.q);
      // A sensor that starts a new turn, or a push past half a turn, causes no jump.
      error_(i) = c.wraps ? error_(i) + std::remainder(error - error_(i), kTurn) : error;
    }
  }
  /// 1: locked, 0: free; nv numbers.
  [[nodiscard]] const VectorXd& weight() const noexcept { return weight_.now(); }
  /// Held minus present position, per scalar coordinate; 0 for a free joint.
  [[nodiscard]] const VectorXd& error() const noexcept { return error_; }

 private:
  Ramp weight_;
  VectorXd none_;
  VectorXd held_, error_;
};

}  // namespace spatial_dynamics
