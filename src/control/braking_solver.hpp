// The torque nearest to the wanted one whose accelerations satisfy bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "dense_factor.hpp"
#include "mass_inverse.hpp"

namespace spatial_dynamics {

/// Bounds of the accelerations and of the torques of one cycle; nv numbers each, infinite where
/// there is none.
struct BrakingProblem {
  explicit BrakingProblem(Index nv);  ///< Allocates.
  void clear() noexcept;              ///< Removes all bounds.

  VectorXd lower, upper;  ///< of the acceleration, wanted
  /// The last resort: lower_last <= lower, upper_last >= upper.
  VectorXd lower_last, upper_last;
  VectorXd lowest, highest;  ///< of the torque
  VectorXd speed;            ///< of the coordinates, with sign
  VectorXd end_speed;        ///< at the end of the period, with the wanted torques
  VectorXd scale;            ///< accelerations beyond the last resort that are equally bad
  double period_s = 0.001;
};

/// Changes torques so that accelerations a = a_0 + M^-1 (u - u_0) satisfy their bounds. Two stages:
///
///  1. Each coordinate brakes itself, as a mechanical stop would: minimise
///     (u - u_0)' M^-1 (u - u_0) subject to the bounds. Only torques of coordinates whose bound is
///     reached change. This is Gauss's principle; it is solved by principal pivoting.
///  2. If motors are too weak for that, the others help: minimise the violations of the bounds over
///     all torques, by projected Newton steps. The last resort has priority.
///
/// A torque changes only against the motion of its coordinate, or against the bound that its
/// coordinate reaches: no change reduces the braking of a motor, and none adds energy.
///
/// Bounded iterations, deterministic. Construction allocates; everything else is real-time safe.
class BrakingSolver {
 public:
  explicit BrakingSolver(Index nv);

  /// `a` is a_0 on entry and the resulting acceleration on return, `u` u_0 and the result. Returns
  /// false if a bound is violated by more than a hundredth of the distance to its last resort.
  bool solve(const BrakingProblem& problem, MassInverse& inverse, VectorXd& a,
             VectorXd& u) noexcept;

 private:
  void find_bounded(const BrakingProblem& p) noexcept;
  enum class Condition : std::uint8_t { kFree, kAtLower, kAtUpper, kLowest, kHighest };
  void brake_each(const BrakingProblem& p, MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;
  [[nodiscard]] bool apply(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                           VectorXd& u) noexcept;
  [[nodiscard]] Condition next(const BrakingProblem& p, Index i, double a, double u) const noexcept;
  [[nodiscard]] bool satisfies(const BrakingProblem& p, const VectorXd& a) const noexcept;
  void prepare_together(const BrakingProblem& p, MassInverse& inverse) noexcept;
  void brake_together(MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;
  void relax(MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;
  void differentiate(MassInverse& inverse, const VectorXd& a, const VectorXd& u) noexcept;
  [[nodiscard]] double penalty(const VectorXd& a, const VectorXd& u) const noexcept;

  BrakingProblem together_;  // of the second stage
  VectorXd wanted_, free_;   // torque and acceleration on entry
  DenseFactor newton_;       // of hessian_
  MatrixXd hessian_;
  VectorXd gradient_, direction_, stiffness_, trial_a_, trial_u_;
  std::vector<Index> bounded_;        // coordinates with a bound of their acceleration
  std::vector<Condition> condition_;  // nv
  std::vector<std::uint8_t> locked_;  // nv: their acceleration is at its bound
  bool prepared_ = false;             // inverse.prepare_locked() was called
  VectorXd change_, torque_change_;   // of accelerations and torques
};

}  // namespace spatial_dynamics
