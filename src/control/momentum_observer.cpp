#include "spatial_dynamics/control/momentum_observer.hpp"

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"

namespace spatial_dynamics {

MomentumObserver::MomentumObserver(const Model& model)
    : momentum_(VectorXd::Zero(model.nv())),
      explained_(VectorXd::Zero(model.nv())),
      residual_(VectorXd::Zero(model.nv())) {}

const VectorXd& MomentumObserver::update(const Model& model, Data& data, VectorIn q, VectorIn v,
                                         VectorIn tau, double gain, double dt_s) noexcept {
  momentum_.noalias() = mass_matrix(model, data, q).lazyProduct(v);
  if (!started_) {
    explained_ = momentum_;
    residual_.setZero();
    started_ = true;
    return residual_;
  }
  explained_ += dt_s * tau;
  explained_ -= dt_s * friction_torque(model, data, v);
  explained_ -= dt_s * gravity_torque(model, data, q);
  explained_.noalias() += dt_s * coriolis_matrix(model, data, q, v).transpose().lazyProduct(v);
  // r = K (p - E - r dt), solved for r: stable whatever gain * dt is.
  residual_ = (gain / (1.0 + gain * dt_s)) * (momentum_ - explained_);
  explained_ += dt_s * residual_;
  return residual_;
}

}  // namespace spatial_dynamics
