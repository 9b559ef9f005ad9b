// One step of a robot's motion.
#pragma once

#include <array>

#include "spatial_dynamics/algorithms/data.hpp"
#include "spatial_dynamics/runtime/joint_resistance.hpp"
#include "spatial_dynamics/runtime/simulator_config.hpp"

namespace spatial_dynamics {

/// Integrates forward dynamics.
///
///  - kSemiImplicit: v+ = v + h a(q, v), then q+ = q moved by h v+, with friction and stops taken at the end of the step (see
///    VelocitySolver). First order; stable with friction of any strength, and energy does not drift.
///  - kRk4: fourth order where motion is smooth. A step on which a joint meets a stop, comes to rest against Coulomb
///    friction, or is damped too strongly for h is made the semi-implicit way instead.
///
/// Not for two threads at once.
class MotionStepper {
 public:
  /// Allocates.
  MotionStepper(const Model& model, Integrator integrator, bool joint_stops);

  /// Moves q (nq) and v (nv) on by h seconds under constant efforts (nv) and wrenches. False, and nothing changed, if there is
  /// no unique and finite answer. `model` is the one of the constructor; its gravity and payloads may have changed. Real-time
  /// safe.
  [[nodiscard]] bool step(const Model& model, VectorXd& q, VectorXd& v, const VectorXd& effort,
                          const ExternalForces& external, double h) noexcept;

 private:
  struct Problem;
  [[nodiscard]] bool semi_implicit(const Problem& problem) noexcept;
  [[nodiscard]] bool runge_kutta(const Problem& problem) noexcept;
  [[nodiscard]] bool runge_kutta_stages(const Problem& problem) noexcept;
  [[nodiscard]] bool is_smooth(const Problem& problem) const noexcept;
  [[nodiscard]] bool is_lightly_damped(const Problem& problem) noexcept;

  Integrator integrator_;
  JointResistance resistance_;
  VelocitySolver solver_;
  Data data_;
  VectorXd q_next_, v_next_;       // what a successful step leaves
  VectorXd impulse_, v_scratch_;   // nv
  VectorXd q_stage_, q_half_;      // nq
  std::array<VectorXd, 4> v_, a_;  // of the four stages
  MatrixXd factor_;                // sized only for models with damping
};

}  // namespace spatial_dynamics
