// What drives the motors of a simulation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spatial_dynamics/algorithms/data.hpp"
#include "spatial_dynamics/runtime/coordinates.hpp"
#include "spatial_dynamics/runtime/smooth_reference.hpp"

namespace spatial_dynamics::cli {

enum class Controller { kNone, kGravityCompensation, kComputedTorque };

/// The efforts of a controller that sees the true state.
///  - kNone: zero;
///  - kGravityCompensation: g(q);
///  - kComputedTorque: ID(q, v, a_ref + kd (v_ref - v) + kp (q_ref - q)) along a SmoothReference from where the robot starts,
///    with Coulomb friction taken at v_ref, viscous friction at v_ref + (kp / kd) (q_ref - q).
class JointController {
 public:
  static constexpr double kKp = 100.0;  ///< 1/s^2
  static constexpr double kKd = 20.0;   ///< 1/s: critical damping

  /// The model must outlive it. Allocates; throws ModelError where a reference can't be given: a base or another joint floats.
  JointController(const Model& model, Controller kind, const VectorXd& q_start);

  /// nv numbers, valid until the next call.
  const VectorXd& effort(double time_s, const VectorXd& q, const VectorXd& v);
  /// Where the robot shall be: for computed torque as of the last effort(), else where it started. nq numbers.
  [[nodiscard]] const VectorXd& reference() const noexcept { return q_ref_; }

 private:
  void sample_reference(double time_s);

  const Model& model_;
  Controller kind_;
  Data data_;
  std::vector<ScalarCoordinate> coordinates_;
  std::optional<SmoothReference> motion_;
  MotionPoint point_;
  VectorXd q_ref_, v_ref_, a_ref_;
  VectorXd error_, effort_;
};

}  // namespace spatial_dynamics::cli
