// The model and its Data: the only place where control/ calls dynamics/.
#pragma once

#include <utility>

#include "dynamics/mass_factor.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"

namespace spatial_dynamics {

/// Computes rigid-body and rotor torque, and friction, as separate terms. Arguments must have the
/// sizes of the model. A result is valid until the next call of the same function. Construction
/// allocates; everything else is real-time safe.
class RobotDynamics {
 public:
  explicit RobotDynamics(Model model)
      : model_(std::move(model)),
        data_(model_, Dense::kMassMatrix | Dense::kCoriolisMatrix),
        zero_(VectorXd::Zero(model_.nv())),
        torque_(zero_) {}

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Data& data() noexcept { return data_; }
  [[nodiscard]] const VectorXd& zero() const noexcept { return zero_; }  ///< nv numbers

  void set_gravity(const Vector3& gravity) noexcept { model_.set_gravity(gravity); }
  void set_payload(Index link, const Inertia& payload) noexcept {
    model_.set_payload(link, payload);
  }

  /// M(q) a + C(q, v) v + g(q) minus external wrenches: with rotors, without friction.
  const VectorXd& torque(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                         const ExternalForces& external = kNoExternalForces) noexcept {
    torque_ = rigid_body_torque(model_, data_, q, v, a, external);
    torque_ += rotor_torque(model_, data_, a);
    return torque_;
  }
  const VectorXd& gravity_torque(const VectorXd& q) noexcept {
    return spatial_dynamics::gravity_torque(model_, data_, q);
  }
  /// C(q, v) v + g(q).
  const VectorXd& bias_torque(const VectorXd& q, const VectorXd& v) noexcept {
    return spatial_dynamics::bias_torque(model_, data_, q, v);
  }
  const VectorXd& friction_torque(const VectorXd& viscous_velocity,
                                  const VectorXd& coulomb_velocity) noexcept {
    return spatial_dynamics::friction_torque(model_, data_, viscous_velocity, coulomb_velocity);
  }
  const VectorXd& acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& effort,
                               const ExternalForces& external) noexcept {
    return forward_dynamics(model_, data_, q, v, effort, external);
  }
  /// True if the last acceleration() was not unique.
  [[nodiscard]] bool singular() const noexcept { return data_.singular(); }
  /// M(q) a + C(q, v) v + g(q) + friction minus external wrenches.
  const VectorXd& inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                                   const ExternalForces& external) noexcept {
    return spatial_dynamics::inverse_dynamics(model_, data_, q, v, a, external);
  }
  /// M(q) + diag(added), factorised: see dynamics/mass_factor.hpp.
  [[nodiscard]] std::uint64_t factorise(const VectorXd& q, const VectorXd& added) noexcept {
    return factorise_mass_matrix(model_, data_, q, added);
  }
  [[nodiscard]] std::uint64_t factor() noexcept { return mass_factor(model_, data_); }
  void solve_factorised(double* x) noexcept { spatial_dynamics::solve_factorised(data_, x); }
  [[nodiscard]] const double* inverse_pivots() noexcept {
    return spatial_dynamics::inverse_pivots(data_);
  }
  [[nodiscard]] bool solve_locked(const std::uint8_t* locked, double* x, double* torque) noexcept {
    return spatial_dynamics::solve_locked(data_, locked, x, torque);
  }
  const MatrixXd& mass_matrix(const VectorXd& q) noexcept {
    return spatial_dynamics::mass_matrix(model_, data_, q);
  }
  /// C(q, v), for which dM/dt - 2 C is skew-symmetric.
  const MatrixXd& coriolis_matrix(const VectorXd& q, const VectorXd& v) noexcept {
    return spatial_dynamics::coriolis_matrix(model_, data_, q, v);
  }

 private:
  Model model_;
  Data data_;
  VectorXd zero_, torque_;
};

}  // namespace spatial_dynamics
