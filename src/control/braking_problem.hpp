// Bounds of the accelerations and of the torques of one cycle.
#pragma once

#include "spatial_dynamics/control/envelope_settings.hpp"
#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// nv numbers each, infinite where there is no bound.
struct BrakingProblem {
  explicit BrakingProblem(Index nv)  ///< Allocates.
      : lower(VectorXd::Constant(nv, -kUnlimited)),
        upper(VectorXd::Constant(nv, kUnlimited)),
        lower_last(lower),
        upper_last(upper),
        lowest(lower),
        highest(upper),
        speed(VectorXd::Zero(nv)),
        end_speed(speed),
        scale(VectorXd::Ones(nv)) {}
  /// Removes all bounds of accelerations.
  void clear() noexcept {
    lower.setConstant(-kUnlimited);
    upper.setConstant(kUnlimited);
    lower_last = lower;
    upper_last = upper;
  }

  VectorXd lower, upper;  ///< of the acceleration, wanted
  /// The last resort: lower_last <= lower, upper_last >= upper.
  VectorXd lower_last, upper_last;
  VectorXd lowest, highest;  ///< of the torque
  VectorXd speed;            ///< of the coordinates, with sign
  VectorXd end_speed;        ///< at the end of the period, with the wanted torques
  VectorXd scale;            ///< accelerations beyond the last resort that are equally bad
  double period_s = 0.001;
};

/// The distance from a bound to its last resort.
[[nodiscard]] double gap_of(double bound, double last) noexcept;

}  // namespace spatial_dynamics
