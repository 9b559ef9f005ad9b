#include "joint_controller.hpp"

#include <cmath>

#include "../model/text.hpp"
#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "spatial_dynamics/runtime/feedback.hpp"

namespace spatial_dynamics::cli {
namespace {

/// nv numbers; URDFs write 0 where they know no limit.
VectorXd effort_limits(const Model& model) {
  VectorXd limits = VectorXd::Constant(model.nv(), kUnlimited);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.limits.effort > 0.0) {
      limits.segment(joint.v_index, joint.nv).setConstant(joint.limits.effort);
    }
  }
  return limits;
}

/// Rates of (x, y, angle), one after the other in `v` and `a`, as a planar joint counts them: along axes that turn with the child,
/// so (vx, vy) = rot(-angle) (x', y') and its own rate has the turning in it.
void turn_with_child(double angle, Eigen::Ref<Vector3> v, Eigen::Ref<Vector3> a) {
  const Eigen::Matrix2d turn = Eigen::Rotation2Dd(-angle).toRotationMatrix();
  const double w = v[2];
  v.head<2>() = (turn * v.head<2>()).eval();
  a.head<2>() = (turn * a.head<2>()).eval() + w * Eigen::Vector2d(v[1], -v[0]);
}

}  // namespace

JointController::JointController(const Model& model, Controller kind, const VectorXd& q_start)
    : model_(model),
      kind_(kind),
      data_(model),
      q_ref_(q_start),
      v_ref_(VectorXd::Zero(model.nv())),
      a_ref_(v_ref_),
      error_(v_ref_),
      effort_(v_ref_) {
  if (kind != Controller::kComputedTorque) return;
  if (has_floating_base(model)) {
    const std::string element = "robot " + in_quotes(model.name());
    throw ModelError(element,
                     element +
                         " has a floating base, which no motor moves along a reference; choose the "
                         "controller none or gravity_compensation, or a fixed base");
  }
  coordinates_ = scalar_coordinates(model);
  motion_.emplace(model, effort_limits(model));
  std::vector<double> present;
  for (const ScalarCoordinate& coordinate : coordinates_) present.push_back(q_start[coordinate.q]);
  motion_->begin(present);
}

void JointController::sample_reference(double time_s) {
  motion_->sample(time_s, point_);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const ScalarCoordinate& coordinate = coordinates_[k];
    q_ref_[coordinate.q] = point_.position[k];
    v_ref_[coordinate.v] = point_.velocity[k];
    a_ref_[coordinate.v] = point_.acceleration[k];
  }
  for (const Index i : model_.coordinate_joints()) {
    const Joint& joint = model_.joint(i);
    if (joint.type != JointType::kPlanar) continue;
    turn_with_child(q_ref_[joint.q_index + 2], v_ref_.segment<3>(joint.v_index),
                    a_ref_.segment<3>(joint.v_index));
  }
}

const VectorXd& JointController::effort(double time_s, const VectorXd& q, const VectorXd& v) {
  switch (kind_) {
    case Controller::kNone:
      break;
    case Controller::kGravityCompensation:
      effort_ = gravity_torque(model_, data_, q);
      break;
    case Controller::kComputedTorque:
      sample_reference(time_s);
      difference(model_, q, q_ref_, error_);
      effort_ = inverse_dynamics(model_, data_, q, v,
                                 (a_ref_ + kKd * (v_ref_ - v) + kKp * error_).eval());
      // As the node does: Coulomb friction of the reference's velocity, or a joint would chatter around standstill; viscous
      // friction of the velocity that the feedback asks for.
      effort_ -= friction_torque(model_, data_, v);
      effort_ += friction_torque(model_, data_,
                                 (v_ref_ + error_decay_rate(kKp, kKd) * error_).eval(), v_ref_);
      break;
  }
  return effort_;
}

}  // namespace spatial_dynamics::cli
