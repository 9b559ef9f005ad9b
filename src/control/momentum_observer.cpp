#include "spatial_dynamics/control/momentum_observer.hpp"

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"

namespace spatial_dynamics {

MomentumObserver::MomentumObserver(const Model& model)
    : bodies_(static_cast<std::size_t>(model.body_count())),
      momentum_(VectorXd::Zero(model.nv())),
      convection_(VectorXd::Zero(model.nv())),
      explained_(VectorXd::Zero(model.nv())),
      residual_(VectorXd::Zero(model.nv())) {}

/// With the momentum h_i of body i and all bodies beyond it,
///     p_i = S_i' h_i + rotor_i v_i,   (C' v)_i = (v_i x S_i)' h_i,
/// because a small motion S_i of the joint changes the velocity of all these bodies by v_i x S_i,
/// and C' v is the derivative of kinetic energy with respect to this motion.
void MomentumObserver::update_momentum(const Model& model, VectorIn q, VectorIn v) noexcept {
  momentum_.setZero();
  convection_.setZero();
  bodies_[0].v = Motion::Zero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    Body& body = bodies_[static_cast<std::size_t>(i)];
    Vector6 relative = Vector6::Zero();
    for (Index k = 0; k < joint.nv; ++k) {
      relative += joint.ratio * v(joint.v_index + k) * joint.S.col(k);
    }
    body.X = parent_to_child(joint, q);
    body.v = body.X * bodies_[static_cast<std::size_t>(joint.parent)].v + Motion(relative);
    body.momentum = model.inertia(i) * body.v;
  }
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const Joint& joint = model.joint(i);
    const Body& body = bodies_[static_cast<std::size_t>(i)];
    for (Index k = 0; k < joint.nv; ++k) {
      const Motion S(Vector6(joint.ratio * joint.S.col(k)));
      const Index row = joint.v_index + k;
      momentum_(row) += dot(S, body.momentum) + joint.armature * joint.ratio * joint.ratio * v(row);
      convection_(row) += dot(cross(body.v, S), body.momentum);
    }
    if (joint.parent != 0) {
      bodies_[static_cast<std::size_t>(joint.parent)].momentum +=
          body.X.apply_transpose(body.momentum);
    }
  }
}

const VectorXd& MomentumObserver::update(const Model& model, Data& data, VectorIn q, VectorIn v,
                                         VectorIn tau, double gain, double dt_s) noexcept {
  update_momentum(model, q, v);
  if (!started_) {
    explained_ = momentum_;
    residual_.setZero();
    started_ = true;
    return residual_;
  }
  explained_ += dt_s * tau;
  explained_ -= dt_s * friction_torque(model, data, v);
  explained_ -= dt_s * gravity_torque(model, data, q);
  explained_ += dt_s * convection_;
  // r = K (p - E - r dt), solved for r: stable whatever gain * dt is.
  residual_ = (gain / (1.0 + gain * dt_s)) * (momentum_ - explained_);
  explained_ += dt_s * residual_;
  return residual_;
}

}  // namespace spatial_dynamics
