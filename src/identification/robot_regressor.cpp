#include "identification/robot_regressor.hpp"

#include <cmath>
#include <utility>

#include "spatial_dynamics/dynamics/regressor.hpp"

namespace spatial_dynamics {

RobotRegressor::RobotRegressor(const Model& model, std::vector<RobotParameter> parameters)
    : model_(model),
      parameters_(std::move(parameters)),
      data_(model, Dense::kRegressor),
      Y_(MatrixXd::Zero(model.nv(), static_cast<Index>(parameters_.size()))),
      known_(VectorXd::Zero(model.nv())) {
  for (Index b = 0; b < model.body_count(); ++b) main_links_.push_back(main_link(model, b));
}

void RobotRegressor::compute(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                             const VectorXd& direction) {
  const MatrixXd& links = regressor(model_, data_, q, v, a);
  for (Index i = 0; i < Y_.cols(); ++i) {
    const RobotParameter& p = parameters_[to_size(i)];
    if (p.kind == ParameterKind::kInertial) {
      Y_.col(i) = links.col(kInertialParameters * main_links_[to_size(p.body)] + p.entry);
    } else if (p.kind == ParameterKind::kOffset) {
      Y_(p.coordinate, i) = 1.0;
    } else {
      const Joint& joint = model_.joint(p.joint);
      const VectorXd& x = p.kind == ParameterKind::kDamping    ? v
                          : p.kind == ParameterKind::kFriction ? direction
                                                               : a;
      Y_.col(i).segment(joint.v_index, joint.nv) = x.segment(joint.v_index, joint.nv);
    }
  }
  known_.setZero();
  for (Index l = 0; l < model_.link_count(); ++l) {
    if (model_.payload(l).mass == 0.0 && model_.payload(l).I.isZero(0.0)) continue;
    known_.noalias() += links.middleCols<kInertialParameters>(kInertialParameters * l) *
                        inertial_parameters(model_.payload(l));
  }
  add_known(v, a, direction);
}

void RobotRegressor::add_known(const VectorXd& v, const VectorXd& a, const VectorXd& direction) {
  for (Index i = 1; i < model_.body_count(); ++i) {
    const Joint& joint = model_.joint(i);
    if (!joint.is_mimic()) continue;
    const double square = joint.ratio * joint.ratio;
    known_.segment(joint.v_index, joint.nv) +=
        joint.damping * square * v.segment(joint.v_index, joint.nv) +
        joint.friction * std::abs(joint.ratio) * direction.segment(joint.v_index, joint.nv) +
        joint.armature * square * a.segment(joint.v_index, joint.nv);
  }
}

VectorXd friction_direction(const Model& model, const VectorXd& v) {
  return (v.array() / model.friction_speed()).tanh();
}

VectorXd values_in_model(const std::vector<RobotParameter>& parameters) {
  VectorXd p(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < p.size(); ++i) p(i) = parameters[to_size(i)].in_model;
  return p;
}

}  // namespace spatial_dynamics
