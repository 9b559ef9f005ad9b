// Estimates external torques that the model does not know.
#pragma once

#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

/// Estimates the joint torque of unknown external forces. The generalised momentum p = M v obeys
///
///     p' = tau - friction + C'(q, v) v - g(q) + tau_external.
///
/// The residual r = K (p - p(0) - integral of (tau - friction + C' v - g + r)) is tau_external
/// after a first-order filter with the time constant 1/K. No acceleration is needed. Construction
/// allocates; update() is real-time safe.
class MomentumObserver {
 public:
  explicit MomentumObserver(const Model& model);

  /// Restarts at the next update(). Call it after activation, or when time or state jumped.
  void reset() noexcept { started_ = false; }

  /// Returns the estimate. `tau` is the torque of the motors, measured or sent. q has nq numbers,
  /// all other vectors nv.
  const VectorXd& update(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                         double gain, double dt_s) noexcept;

 private:
  struct Body {
    Transform X;     // from the parent
    Motion v;        // in the body's frame
    Force momentum;  // of the body and all bodies beyond it, in its frame
  };

  void update_momentum(const Model& model, VectorIn q, VectorIn v) noexcept;

  bool started_ = false;
  std::vector<Body> bodies_;
  VectorXd momentum_;    // p
  VectorXd convection_;  // C' v
  VectorXd explained_;   // p(0) + integral
  VectorXd residual_;
};

}  // namespace spatial_dynamics
