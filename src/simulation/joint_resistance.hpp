// Friction and stops of joints.
#pragma once

#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Friction and stops of a model's joints per coordinate. Those of a mimic joint act on the
/// coordinate that it follows.
///
/// Stops are the position limits of revolute and prismatic joints. They are inelastic: a joint may
/// reach a stop but not pass it. A joint that starts beyond its stop moves no further and is not
/// pushed back.
class JointResistance {
 public:
  /// Allocates.
  JointResistance(const Model& model, bool with_stops);

  [[nodiscard]] bool has_friction() const noexcept { return !frictions_.empty(); }
  /// N m s/rad or N s/m, per coordinate of v.
  [[nodiscard]] const VectorXd& damping() const noexcept { return damping_; }

  /// Secant and tangent of the friction torque, per coordinate: friction_torque(v) = secant(v) v,
  /// and its derivative is tangent(v). 0 <= tangent <= secant. nv numbers each. Real-time safe.
  void friction_coefficients(double friction_speed, VectorIn v, Eigen::Ref<VectorXd> secant,
                             Eigen::Ref<VectorXd> tangent) const noexcept;

  /// True if every joint with Coulomb friction moves in the direction of v_before and so fast that
  /// its friction does not depend on the speed. Real-time safe.
  [[nodiscard]] bool is_sliding(double friction_speed, VectorIn v,
                                VectorIn v_before) const noexcept;

  /// The range of velocities that keeps every joint within its stops for h seconds from q; it
  /// always contains zero. nv numbers each, infinite without a stop. Real-time safe.
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
  std::vector<Friction> frictions_;  // also those with damping only
  std::vector<Stop> stops_;          // at most one per coordinate
};

}  // namespace spatial_dynamics
