// Braking by the torques of all joints.
#pragma once

#include <vector>

#include "braking_problem.hpp"
#include "dense_factor.hpp"
#include "mass_inverse.hpp"

namespace spatial_dynamics {

/// Minimises the violations of bounds over all torques, each between the wanted one and full
/// braking. Construction allocates; everything else is real-time safe.
///
/// A violation costs (violation / gap)^2 / 2, where gap is the distance from the bound to its last
/// resort. What is beyond the last resort costs more, in units that are alike for all coordinates.
/// The costs are piecewise quadratic, and which pieces count is not known in advance. An
/// interior-point method needs few steps nevertheless: the costs are smoothed, a barrier keeps
/// torques within their limits, and both decay with each Newton step, by as much of the step as
/// these limits permit.
class MutualBraking {
 public:
  explicit MutualBraking(Index nv);

  /// At most this many Newton steps until the next call. A step takes time in proportion to nv^3.
  void permit_steps(int steps) noexcept { steps_left_ = steps; }
  /// a = free + inverse (u - wanted). `a` and `u` are a first guess on entry. The result costs at
  /// most as much as the guess, limited to the permitted torques.
  void solve(const BrakingProblem& problem, const VectorXd& wanted, const VectorXd& free,
             MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;

 private:
  struct Bound {
    double value, gap, inverse_gap;
  };
  /// A torque that may change: u = lowest + x width, 0 < x < 1.
  struct Variable {
    Index coordinate;
    double lowest, width;
    double x, wanted;
    double below, above;  ///< forces of the barrier at x = 0 and at x = 1
  };
  void prepare(const BrakingProblem& p, const VectorXd& wanted, const VectorXd& free) noexcept;
  [[nodiscard]] double cost(const VectorXd& a) noexcept;
  void begin(const VectorXd& wanted, MassInverse& inverse, VectorXd& a, VectorXd& u) noexcept;
  void differentiate() noexcept;
  [[nodiscard]] bool find_direction(MassInverse& inverse) noexcept;
  void advance(MassInverse& inverse) noexcept;

  int steps_left_ = 0;
  VectorXd lowest_, highest_, scale_;
  std::vector<Bound> lower_, upper_;  // nv
  std::vector<Index> bounded_;
  std::vector<Variable> variables_;
  double smoothing_ = 0.0, barrier_ = 0.0;
  double worst_ = 0.0;           // violation, in gaps, of the last cost()
  VectorXd u_, a_;               // present iterate
  VectorXd slope_;               // of the smoothed costs, with respect to a
  std::vector<Index> rows_;      // coordinates whose costs have a curvature
  VectorXd weight_;              // their square roots
  VectorXd direction_, change_;  // of x, of u
  MatrixXd weighted_, hessian_;
  DenseFactor newton_;
};

}  // namespace spatial_dynamics
