#include "answer.hpp"

#include "spatial_dynamics/algorithms/coriolis_matrix.hpp"
#include "spatial_dynamics/algorithms/derivatives.hpp"
#include "spatial_dynamics/algorithms/energy.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/kinematics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/algorithms/mass_matrix_inverse.hpp"
#include "spatial_dynamics/algorithms/regressor.hpp"

namespace spatial_dynamics::cli {

namespace {

[[noreturn]] void fail_singular(const std::string& want) {
  throw InputError(want +
                   ": the mass matrix is singular at this state, so no forces determine an "
                   "acceleration; add armature or mass where the robot has none");
}

}  // namespace

Answerer::Answerer(const Model& model, const std::string& backend)
    : model_(model),
      data_(model),
      backend_(make_backend(backend, model)),
      jacobian_(6, model.nv()),
      writer_(model) {}

void Answerer::answer(const State& state, std::string& out) {
  const std::size_t start = out.size();
  positions_current_ = false;
  try {
    writer_.begin(out, state.by_name);
    for (const Want& want : state.wants) {
      write(state, want);
      if (!writer_.finite()) {
        throw InputError(to_string(want, model_) +
                         " is no finite number here: the numbers of this state are too large");
      }
    }
    writer_.end();
  } catch (const InputError&) {
    out.resize(start);
    throw;
  }
}

void Answerer::write(const State& state, const Want& want) {
  const VectorXd& q = state.q.values;
  const VectorXd& v = state.v.values;
  writer_.key(to_string(want, model_));
  switch (want.quantity) {
    case Quantity::kInverseDynamics:
      return writer_.joint_vector(backend_->inverse_dynamics(state));
    case Quantity::kForwardDynamics:
      return writer_.joint_vector(acceleration_from_forces(state));
    case Quantity::kBias:
      return writer_.joint_vector(bias_torque(model_, data_, q, v));
    case Quantity::kGravity:
      return writer_.joint_vector(gravity_torque(model_, data_, q));
    case Quantity::kCoriolisMatrix:
      return writer_.joint_matrix(coriolis_matrix(model_, data_, q, v));
    case Quantity::kMassMatrix:
      return writer_.joint_matrix(backend_->mass_matrix(state));
    case Quantity::kKineticEnergy:
      return writer_.number(kinetic_energy(model_, data_, q, v));
    case Quantity::kPotentialEnergy:
      return writer_.number(potential_energy(model_, data_, q));
    case Quantity::kCenterOfMass:
      return writer_.vector3(center_of_mass(model_, data_, q));
    case Quantity::kPose:
      update_positions(state);
      return writer_.pose(link_transform(model_, data_, want.link));
    case Quantity::kJacobian:
      update_positions(state);
      link_jacobian(model_, data_, want.link, Frame::kLocalWorldAligned, jacobian_);
      return writer_.jacobian(jacobian_);
    case Quantity::kJointWrenches:
      inverse_dynamics(model_, data_, q, v,
                       state.a.given ? state.a.values : acceleration_from_forces(state),
                       state.wrenches);
      return writer_.joint_wrenches(data_.f);
    case Quantity::kMassMatrixInverse:
      return write_matrix_inverse(state);
    case Quantity::kMomentum:
      return writer_.momentum(centroidal_momentum(model_, data_, q, v));
    case Quantity::kInverseDynamicsDerivatives:
      return write_id_derivatives(state);
    case Quantity::kForwardDynamicsDerivatives:
      return write_fd_derivatives(state);
    case Quantity::kRegressor:
      return write_regressor(state);
  }
}

void Answerer::write_matrix_inverse(const State& state) {
  require_forward_dynamics();
  MatrixXd inverse(model_.nv(), model_.nv());
  if (!mass_matrix_inverse(model_, data_, state.q.values, inverse)) {
    fail_singular("mass_matrix_inverse");
  }
  writer_.joint_matrix(inverse);
}

void Answerer::write_id_derivatives(const State& state) {
  InverseDynamicsDerivatives d(model_);
  inverse_dynamics_derivatives(model_, data_, state.q.values, state.v.values, state.a.values, d,
                               state.wrenches);
  writer_.joint_matrices({{"dtau_dq", d.dtau_dq}, {"dtau_dv", d.dtau_dv}, {"dtau_da", d.dtau_da}});
}

void Answerer::write_fd_derivatives(const State& state) {
  require_forward_dynamics();
  ForwardDynamicsDerivatives d(model_);
  if (!forward_dynamics_derivatives(model_, data_, state.q.values, state.v.values, state.tau.values,
                                    d, state.wrenches)) {
    fail_singular("fd_derivatives");
  }
  writer_.joint_matrices({{"da_dq", d.da_dq}, {"da_dv", d.da_dv}, {"da_dtau", d.da_dtau}});
}

void Answerer::write_regressor(const State& state) {
  MatrixXd Y(model_.nv(), kInertialParameters * model_.link_count());
  regressor(model_, data_, state.q.values, state.v.values, state.a.values, Y);
  writer_.regressor(Y, link_parameters(model_));
}

void Answerer::require_forward_dynamics() const {
  if (!model_.forward_dynamics_refusal().empty()) {
    throw InputError(model_.forward_dynamics_refusal());
  }
}

const VectorXd& Answerer::acceleration_from_forces(const State& state) {
  require_forward_dynamics();
  bool singular = false;
  const VectorXd& acceleration = backend_->forward_dynamics(state, singular);
  if (singular) fail_singular("fd");
  return acceleration;
}

// Every other algorithm of this state leaves the positions of the same q behind, so one update serves all poses.
void Answerer::update_positions(const State& state) {
  if (positions_current_) return;
  forward_kinematics(model_, data_, state.q.values);
  positions_current_ = true;
}

}  // namespace spatial_dynamics::cli
