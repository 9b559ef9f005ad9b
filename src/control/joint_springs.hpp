// Springs and dampers in the joints.
#pragma once

#include "ramp.hpp"
#include "robot_dynamics.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// Stiffness K and damping D, nv numbers each. D = damping + 2 damping_ratio sqrt(K M_kk(q)) for
/// each coordinate k. Construction allocates; everything else is real-time safe.
class JointSprings {
 public:
  explicit JointSprings(Index nv);

  /// Ramps stiffness, damping and damping ratio to those of the settings over ramp_s. `stiffness`
  /// replaces that of the settings.
  void update_settings(const JointSettings& joints, const VectorXd& stiffness,
                       const RampStep& step) noexcept;
  /// Sets stiffness and damping to zero; they then ramp to those of the settings.
  void clear() noexcept;
  /// Computes D at q. Needs the mass matrix only if a damping ratio is used.
  void update_damping(const VectorXd& q, RobotDynamics& robot) noexcept;

  [[nodiscard]] const VectorXd& stiffness() const noexcept { return stiffness_.now(); }
  /// D of the last update_damping().
  [[nodiscard]] const VectorXd& damping() const noexcept { return damping_at_q_; }

 private:
  Ramp stiffness_, damping_, ratio_;
  VectorXd damping_at_q_;
};

}  // namespace spatial_dynamics
