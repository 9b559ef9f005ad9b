// The torque nearest to the wanted one whose accelerations satisfy bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "mass_inverse.hpp"
#include "mutual_braking.hpp"

namespace spatial_dynamics {

/// Changes torques so that accelerations a = a_0 + M^-1 (u - u_0) satisfy their bounds. Two stages:
///
///  1. Each coordinate brakes itself, as a mechanical stop would: minimise
///     (u - u_0)' M^-1 (u - u_0) subject to the bounds. Only torques of coordinates whose bound is
///     reached change. This is Gauss's principle; it is solved by principal pivoting.
///  2. If motors are too weak for that, the others help: see MutualBraking. The last resort has
///     priority.
///
/// A torque changes only against the motion of its coordinate, or against the bound that its
/// coordinate reaches: no change reduces the braking of a motor, and none adds energy.
///
/// Construction allocates; everything else is real-time safe.
class BrakingSolver {
 public:
  explicit BrakingSolver(Index nv);

  /// Begins a cycle: the work of all solve() until the next call is bounded together.
  void begin() noexcept;
  /// `a` is a_0 on entry and the resulting acceleration on return, `u` u_0 and the result. Starts
  /// from the result of the last call, also in the cycle before.
  void solve(const BrakingProblem& problem, MassInverse& inverse, VectorXd& a,
             VectorXd& u) noexcept;

 private:
  enum class Condition : std::uint8_t { kFree, kAtLower, kAtUpper, kLowest, kHighest };
  void find_bounded(const BrakingProblem& p) noexcept;
  void brake_each(const BrakingProblem& p, MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;
  [[nodiscard]] bool pivot(const BrakingProblem& p, bool all, const VectorXd& a,
                           const VectorXd& u) noexcept;
  [[nodiscard]] bool apply(const BrakingProblem& p, MassInverse& inverse, VectorXd& a,
                           VectorXd& u) noexcept;
  [[nodiscard]] Condition next(const BrakingProblem& p, Index i, double a, double u) const noexcept;
  [[nodiscard]] bool satisfies(const BrakingProblem& p, const VectorXd& a) const noexcept;

  VectorXd wanted_, free_;            // torque and acceleration on entry
  std::vector<Index> bounded_;        // coordinates with a bound of their acceleration
  std::vector<Condition> condition_;  // nv, after the last solve()
  std::vector<std::uint8_t> locked_;  // nv: their acceleration is at its bound
  VectorXd change_, torque_change_;   // of accelerations and torques
  int rounds_left_ = 0;
  bool saturated_ = false;  // a torque is at its limit
  bool settled_ = false;    // all conditions are correct, and no torque is at its limit
  MutualBraking mutual_;
};

}  // namespace spatial_dynamics
