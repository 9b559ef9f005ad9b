// One step of a robot's motion.
#pragma once

#include <array>

#include "simulation/velocity_solver.hpp"
#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"

namespace spatial_dynamics {

/// Integrates forward dynamics.
///
///  - kSemiImplicit: v+ = v + h a(q, v), then q+ = q moved by h v+, with friction and stops at the
///    end of the step (see VelocitySolver). First order; stable for any friction, without energy
///    drift.
///  - kRk4: fourth order where the motion is smooth. A step in which a joint reaches a stop, comes
///    to rest under Coulomb friction, is damped too strongly for h, or has a prescribed velocity,
///    is semi-implicit instead.
///
/// For one thread.
class MotionStepper {
 public:
  /// Allocates.
  MotionStepper(const Model& model, Integrator integrator, bool joint_stops);

  /// Advances q (nq) and v (nv) by h seconds under constant efforts (nv) and wrenches. Returns
  /// false, with nothing changed, if there is no unique and finite result. `model` is the model of
  /// the constructor; its gravity and payloads may have changed. Real-time safe.
  [[nodiscard]] bool step(const Model& model, VectorXd& q, VectorXd& v, const VectorXd& effort,
                          const ExternalForces& external, double h) noexcept;

  /// Coordinates that step() moves at a given velocity instead of by their efforts. After step(),
  /// their impulses are those of the step.
  [[nodiscard]] PrescribedVelocities& prescribed() noexcept { return prescribed_; }
  [[nodiscard]] const PrescribedVelocities& prescribed() const noexcept { return prescribed_; }

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
  PrescribedVelocities prescribed_;
  Data data_;
  VectorXd zero_;                  // nv
  VectorXd q_next_, v_next_;       // result of a successful step
  VectorXd impulse_, v_scratch_;   // nv
  VectorXd q_stage_, q_half_;      // nq
  std::array<VectorXd, 4> v_, a_;  // of the four stages
  MatrixXd factor_;                // sized only for models with damping
};

}  // namespace spatial_dynamics
