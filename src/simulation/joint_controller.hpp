// The controller of a simulated robot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/simulation/smooth_reference.hpp"

namespace spatial_dynamics {

enum class ControllerKind { kNone, kGravityCompensation, kComputedTorque };

/// A motion: fills in the point at a time, s.
using ReferenceMotion = std::function<void(double time_s, MotionPoint& point)>;

/// Efforts computed from the true state.
///  - kNone: zero;
///  - kGravityCompensation: g(q);
///  - kComputedTorque: ID(q, v, a_ref + kd (v_ref - v) + kp (q_ref - q)) along the given motion, or
///    else a SmoothReference that begins at the robot's start, with Coulomb friction at v_ref and
///    viscous friction at v_ref + (kp / kd) (q_ref - q).
class JointController {
 public:
  static constexpr double kKp = 100.0;  ///< 1/s^2
  static constexpr double kKd = 20.0;   ///< 1/s: critical damping

  /// The model must outlive the controller. Allocates; throws ModelError for computed torque of a
  /// robot with a floating joint, which has no motor.
  JointController(const Model& model, ControllerKind kind, const VectorXd& q_start,
                  ReferenceMotion motion = {});

  /// nv numbers, valid until the next call.
  const VectorXd& effort(double time_s, const VectorXd& q, const VectorXd& v);
  /// The reference position, nq numbers: with computed torque at the time of the last effort(),
  /// else the start.
  [[nodiscard]] const VectorXd& reference() const noexcept { return q_ref_; }

 private:
  void sample_reference(double time_s);

  const Model& model_;
  ControllerKind kind_;
  Data data_;
  std::vector<ScalarCoordinate> coordinates_;
  ReferenceMotion motion_;
  MotionPoint point_;
  VectorXd q_ref_, v_ref_, a_ref_;
  VectorXd error_, a_command_, v_viscous_, effort_;
};

}  // namespace spatial_dynamics
