#include "simulation/joint_controller.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// nv numbers. In a URDF, 0 means no limit.
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

/// Converts the derivatives of (x, y, angle) to the velocity and acceleration of a planar joint,
/// which are along axes that rotate with the child: (vx, vy) = rot(-angle) (x', y').
void rotate_into_child(double angle, Eigen::Ref<Vector3> v, Eigen::Ref<Vector3> a) {
  const Eigen::Matrix2d rotation = Eigen::Rotation2Dd(-angle).toRotationMatrix();
  const double w = v[2];
  v.head<2>() = (rotation * v.head<2>()).eval();
  a.head<2>() = (rotation * a.head<2>()).eval() + w * Eigen::Vector2d(v[1], -v[0]);
}

}  // namespace

JointController::JointController(const Model& model, ControllerKind kind, const VectorXd& q_start,
                                 ReferenceMotion motion)
    : model_(model),
      kind_(kind),
      data_(model, Dense::kNone),
      motion_(std::move(motion)),
      q_ref_(q_start),
      v_ref_(VectorXd::Zero(model.nv())),
      a_ref_(v_ref_),
      error_(v_ref_),
      a_command_(v_ref_),
      v_viscous_(v_ref_),
      effort_(v_ref_) {
  if (kind != ControllerKind::kComputedTorque) return;
  if (has_floating_base(model)) {
    const std::string element = "robot " + in_quotes(model.name());
    throw ModelError(
        element, element +
                     " has a floating base, which has no motor to follow a reference; choose the "
                     "controller none or gravity_compensation, or a fixed base");
  }
  coordinates_ = scalar_coordinates(model);
  if (motion_) return;
  const auto smooth = std::make_shared<SmoothReference>(model, effort_limits(model));
  std::vector<double> present;
  for (const ScalarCoordinate& coordinate : coordinates_) present.push_back(q_start[coordinate.q]);
  smooth->begin(present);
  motion_ = [smooth](double time_s, MotionPoint& point) { smooth->sample(time_s, point); };
}

void JointController::sample_reference(double time_s) {
  motion_(time_s, point_);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const ScalarCoordinate& coordinate = coordinates_[k];
    q_ref_[coordinate.q] = point_.position[k];
    v_ref_[coordinate.v] = point_.velocity[k];
    a_ref_[coordinate.v] = point_.acceleration[k];
  }
  for (const Index i : model_.coordinate_joints()) {
    const Joint& joint = model_.joint(i);
    if (joint.type != JointType::kPlanar) continue;
    rotate_into_child(q_ref_[joint.q_index + 2], v_ref_.segment<3>(joint.v_index),
                      a_ref_.segment<3>(joint.v_index));
  }
}

const VectorXd& JointController::effort(double time_s, const VectorXd& q, const VectorXd& v) {
  switch (kind_) {
    case ControllerKind::kNone:
      break;
    case ControllerKind::kGravityCompensation:
      effort_ = gravity_torque(model_, data_, q);
      break;
    case ControllerKind::kComputedTorque:
      sample_reference(time_s);
      difference(model_, q, q_ref_, error_);
      a_command_ = a_ref_ + kKd * (v_ref_ - v) + kKp * error_;
      effort_ = rigid_body_torque(model_, data_, q, v, a_command_);
      effort_ += rotor_torque(model_, data_, a_command_);
      // As in the node: Coulomb friction at the reference's velocity, so that a joint does not
      // chatter around standstill; viscous friction at the velocity that the feedback requests.
      v_viscous_ = v_ref_ + kKp / kKd * error_;
      effort_ += friction_torque(model_, data_, v_viscous_, v_ref_);
      break;
  }
  return effort_;
}

}  // namespace spatial_dynamics
