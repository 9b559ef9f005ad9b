// What resists a joint's motion: friction and stops, solved together with the motion so that no step size makes them unstable.
#pragma once

#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Friction and stops of a model's joints in terms of its coordinates: a mimic joint's count for the coordinate it follows.
///
/// Stops are the position limits of revolute and prismatic joints. They are inelastic: a joint may reach one, but not pass.
/// One that starts beyond its stop goes no further, and is not thrown back.
class JointResistance {
 public:
  /// Allocates.
  JointResistance(const Model& model, bool with_stops);

  [[nodiscard]] bool has_friction() const noexcept { return !frictions_.empty(); }
  /// N m s/rad or N s/m, per coordinate of v.
  [[nodiscard]] const VectorXd& damping() const noexcept { return damping_; }

  /// How friction grows with the speed, per coordinate: friction_torque(v) = secant(v) v, and its derivative is tangent(v).
  /// 0 <= tangent <= secant. nv numbers each. Real-time safe.
  void friction_slopes(double friction_speed, VectorIn v, Eigen::Ref<VectorXd> secant,
                       Eigen::Ref<VectorXd> tangent) const noexcept;

  /// True if every joint with Coulomb friction slides at v, in the direction of v_before and so fast that its friction no longer
  /// depends on the speed. Real-time safe.
  [[nodiscard]] bool is_sliding(double friction_speed, VectorIn v,
                                VectorIn v_before) const noexcept;

  /// The velocities that keep every joint within its stops for h seconds from q; zero is always among them. nv numbers each,
  /// infinite where there is no stop. Real-time safe.
  void velocity_bounds(VectorIn q, double h, Eigen::Ref<VectorXd> lower,
                       Eigen::Ref<VectorXd> upper) const noexcept;
  [[nodiscard]] bool is_within_stops(VectorIn q) const noexcept;

 private:
  struct Friction {
    Index coordinate;  // in v
    double coulomb;    // N m or N at the joint
    double ratio;      // of the joint's speed to the coordinate's, positive
  };
  struct Stop {
    Index q, v;
    double lower, upper;  // in terms of the coordinate
  };

  void add_friction(const Joint& joint);
  void add_stop(const Joint& joint);

  VectorXd damping_;
  std::vector<Friction> frictions_;  // also those with damping alone
  std::vector<Stop> stops_;          // at most one per coordinate
};

/// Finds the velocity at the end of a step from all that acts during it, friction and stops taken at the END of the step:
///
///   minimise  1/2 (x - u)' M (x - u) + h F(x)   subject to  lower <= x <= upper,   M u = impulse,
///
/// where F' is the friction. Because F is convex and least at 0, and 0 is within the bounds, the kinetic energy of x is never
/// more than that of u, for whatever h: friction and stops only take energy, and friction can't drive a joint backwards.
///
/// Friction is replaced by a viscous one that is as strong at a guess z of the answer: F(x) ~ s(z) x^2 / 2. Whatever the guess,
/// the answer x has the property above, because s >= 0; where x = z, it is the answer sought. The quadratic problem with
/// bounds is solved by pivoting: coordinates beyond a bound are held there, held ones that would leave it by themselves are let go.
class VelocitySolver {
 public:
  explicit VelocitySolver(Index nv);  ///< Allocates.

  /// `x` is the velocity before the step on entry, at its end on return. False if M is singular; x is undefined then.
  /// Real-time safe.
  [[nodiscard]] bool solve(const JointResistance& resistance, double friction_speed,
                           const MatrixXd& M, const VectorXd& impulse, const VectorXd& q, double h,
                           VectorXd& x) noexcept;

 private:
  enum class Hold : unsigned char { kFree, kLower, kUpper };

  void improve_guess(const MatrixXd& M, double h, const VectorXd& x) noexcept;
  [[nodiscard]] bool solve_quadratic(const MatrixXd& M, const VectorXd& impulse, double h,
                                     VectorXd& x) noexcept;
  [[nodiscard]] bool solve_free(const MatrixXd& M, const VectorXd& impulse, double h,
                                VectorXd& x) noexcept;
  /// Changes what is held and says how many changed; only the first one if `one_only`.
  int pivot(const MatrixXd& M, const VectorXd& impulse, double h, const VectorXd& x,
            bool one_only) noexcept;

  std::vector<Hold> hold_;
  std::vector<Index> free_;
  VectorXd guess_, secant_, tangent_, lower_, upper_, reduced_x_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>
      reduced_;  // by rows: the factorisation goes along them
};

}  // namespace spatial_dynamics
