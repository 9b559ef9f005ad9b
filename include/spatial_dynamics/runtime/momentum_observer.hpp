// What pushes the robot that the model does not know of.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// Estimates the joint torque of unknown external forces from the generalised momentum p = M v, which obeys
///
///     p' = tau - friction + C'(q, v) v - g(q) + tau_external,
///
/// by the residual r = K (p - p(0) - integral of (tau - friction + C' v - g + r)): a first-order filter of tau_external with the
/// time constant 1/K. Needs no acceleration. Construction allocates; update() is real-time safe.
class MomentumObserver {
 public:
  explicit MomentumObserver(const Model& model);

  /// Starts anew at the next update(): after activation, or when time or state jumped.
  void reset() noexcept { started_ = false; }

  /// `tau`: the torque at work (measured or sent). All vectors have nv numbers, q nq.
  const VectorXd& update(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                         double gain, double dt_s) noexcept;

 private:
  bool started_ = false;
  VectorXd momentum_;   // p
  VectorXd explained_;  // p(0) + integral
  VectorXd residual_;
};

}  // namespace spatial_dynamics
