// The velocity at the end of a step, with friction and stops solved together with the motion.
#pragma once

#include <vector>

#include "simulation/joint_resistance.hpp"

namespace spatial_dynamics {

/// Coordinates whose velocity is given instead of their effort, as by an ideal servo or a brake.
struct PrescribedVelocities {
  explicit PrescribedVelocities(Index nv);  ///< None. Allocates.

  std::vector<bool> prescribed;  ///< per coordinate
  VectorXd velocity;             ///< nv numbers; without meaning where not prescribed
  VectorXd impulse;  ///< nv numbers, N m s or N s: what solve() needed for the given velocities
  Index count = 0;   ///< of prescribed coordinates
};

/// Finds the velocity at the end of a step, with friction and stops evaluated at the END of the
/// step:
///
///   minimise  1/2 (x - u)' M (x - u) + h F(x)   subject to  lower <= x <= upper,   M u = impulse,
///
/// where F' is the friction. F is convex with its minimum at 0, and 0 is within the bounds. So for
/// every h the kinetic energy of x is at most that of u: friction and stops only dissipate energy,
/// and friction can't reverse a joint's motion.
///
/// Friction is replaced by viscous friction of equal strength at an estimate z of the solution:
/// F(x) ~ s(z) x^2 / 2. For every estimate the solution x has the property above, because s >= 0;
/// if x = z, it is the solution of the original problem. The quadratic problem with bounds is
/// solved by pivoting: coordinates beyond a bound are held at the bound, and held coordinates whose
/// bound pulls are released. Coordinates with a prescribed velocity are held at it, or at the bound
/// that it exceeds.
class VelocitySolver {
 public:
  explicit VelocitySolver(Index nv);  ///< Allocates.

  /// `x` is the velocity before the step on entry, at its end on return. False if M is singular; x
  /// is undefined then. Real-time safe.
  [[nodiscard]] bool solve(const JointResistance& resistance, double friction_speed,
                           const MatrixXd& M, const VectorXd& impulse, const VectorXd& q, double h,
                           VectorXd& x, PrescribedVelocities* prescribed = nullptr) noexcept;

 private:
  enum class Hold : unsigned char { kFree, kLower, kUpper, kPrescribed };

  void hold_prescribed(const PrescribedVelocities& prescribed) noexcept;

  void improve_estimate(const MatrixXd& M, double h, const VectorXd& x) noexcept;
  [[nodiscard]] bool solve_quadratic(const MatrixXd& M, const VectorXd& impulse, double h,
                                     VectorXd& x) noexcept;
  [[nodiscard]] bool solve_free(const MatrixXd& M, const VectorXd& impulse, double h,
                                VectorXd& x) noexcept;
  enum class Pivot { kAll, kFirst, kHoldOnly };
  /// Holds and releases coordinates. Returns the number of changes.
  int pivot(const MatrixXd& M, const VectorXd& impulse, double h, const VectorXd& x,
            Pivot rule) noexcept;

  std::vector<Hold> hold_;
  std::vector<Index> free_;
  VectorXd estimate_, secant_, tangent_, lower_, upper_, reduced_x_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>
      reduced_;  // row-major: the factorisation accesses rows
};

}  // namespace spatial_dynamics
