#include "spatial_dynamics/dynamics/batch.hpp"

#include <stdexcept>
#include <string>

#include "batch_impl.hpp"
#include "spatial_dynamics/dynamics/derivatives.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"

namespace spatial_dynamics {

BatchForces::BatchForces(const ExternalForces& external) noexcept {
  static_assert(sizeof(Force) == 6 * sizeof(double), "moment and force, nothing else");
  if (external.empty()) return;
  const auto* numbers = reinterpret_cast<const double*>(&external.on_body(0));
  states_ = Eigen::Map<const MatrixXd>(numbers, 6 * external.body_count(), 1);
}

BatchData::BatchData(const Model& model, Index capacity, Dense dense) {
  if (capacity < 0) {
    throw std::invalid_argument("BatchData: the capacity is " + std::to_string(capacity) +
                                ", but must be at least 0.");
  }
  impl_ = std::make_unique<Impl>(model, capacity, dense);
}
BatchData::~BatchData() = default;
BatchData::BatchData(BatchData&& other) noexcept = default;
BatchData& BatchData::operator=(BatchData&& other) noexcept = default;

void BatchData::reserve(Dense dense) {
  if (!impl_) throw std::invalid_argument("BatchData::reserve(): the data was moved from.");
  impl_->reserve(dense);
}
bool BatchData::is_reserved(Dense dense) const noexcept { return impl_ && impl_->has(dense); }
Index BatchData::capacity() const noexcept { return impl_ ? impl_->capacity : 0; }
Index BatchData::singular_count() const noexcept { return impl_ ? impl_->singular : 0; }

BatchData::Result inverse_dynamics(const Model& model, BatchData& data, StatesView q, StatesView v,
                                   StatesView a, BatchForces external) {
  BatchCall call("inverse_dynamics", model, data);
  call.q_v(q, v).v("a", a).forces(external);
  BatchData::Impl& d = call.d;
  const StatesView f = external.states().value_or(q);
  return call.at_once(d.tau, {q, v, a, f}, [&](const BatchOutput& out) {
    if (external.states()) {
      kernels::inverse_dynamics_batch(d.compact, d.work, q.map(), v.map(), a.map(), f.map(), out);
    } else {
      kernels::inverse_dynamics_batch(d.compact, d.work, q.map(), v.map(), a.map(), out);
    }
  });
}

BatchData::Result forward_dynamics(const Model& model, BatchData& data, StatesView q, StatesView v,
                                   StatesView tau, BatchForces external) {
  BatchCall call("forward_dynamics", model, data);
  call.q_v(q, v).v("tau", tau).forces(external).reserved_if_reduced();
  BatchData::Impl& d = call.d;
  const StatesView f = external.states().value_or(q);
  return call.at_once(d.acceleration, {q, v, tau, f}, [&](const BatchOutput& out) {
    d.singular =
        external.states()
            ? kernels::forward_dynamics_batch(d.compact, d.work, q.map(), v.map(), tau.map(),
                                              f.map(), out)
            : kernels::forward_dynamics_batch(d.compact, d.work, q.map(), v.map(), tau.map(), out);
  });
}

BatchData::Result rigid_body_torque(const Model& model, BatchData& data, StatesView q, StatesView v,
                                    StatesView a, BatchForces external) {
  BatchCall call("rigid_body_torque", model, data);
  call.q_v(q, v).v("a", a).forces(external);
  return call.each(call.d.rigid, [&](Index i) -> const VectorXd& {
    return rigid_body_torque(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                             BatchCall::at(a, i), call.forces_at(external, i));
  });
}

BatchData::Result friction_torque(const Model& model, BatchData& data, StatesView v) {
  return friction_torque(model, data, v, v);
}

BatchData::Result friction_torque(const Model& model, BatchData& data, StatesView v,
                                  StatesView coulomb_velocity) {
  BatchCall call("friction_torque", model, data);
  call.v("v", v).v("coulomb_velocity", coulomb_velocity);
  return call.each(call.d.friction, [&](Index i) -> const VectorXd& {
    return friction_torque(model, call.d.one, BatchCall::at(v, i),
                           BatchCall::at(coulomb_velocity, i));
  });
}

BatchData::Result rotor_torque(const Model& model, BatchData& data, StatesView a) {
  BatchCall call("rotor_torque", model, data);
  call.v("a", a);
  return call.each(call.d.rotor, [&](Index i) -> const VectorXd& {
    return rotor_torque(model, call.d.one, BatchCall::at(a, i));
  });
}

BatchData::Result bias_torque(const Model& model, BatchData& data, StatesView q, StatesView v,
                              BatchForces external) {
  BatchCall call("bias_torque", model, data);
  call.q_v(q, v).forces(external);
  return call.each(call.d.bias, [&](Index i) -> const VectorXd& {
    return bias_torque(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                       call.forces_at(external, i));
  });
}

BatchData::Result gravity_torque(const Model& model, BatchData& data, StatesView q,
                                 BatchForces external) {
  BatchCall call("gravity_torque", model, data);
  call.q(q).forces(external);
  return call.each(call.d.gravity, [&](Index i) -> const VectorXd& {
    return gravity_torque(model, call.d.one, BatchCall::at(q, i), call.forces_at(external, i));
  });
}

BatchData::Result mass_matrix(const Model& model, BatchData& data, StatesView q) {
  BatchCall call("mass_matrix", model, data);
  call.q(q).reserved(Dense::kMassMatrix, "kMassMatrix");
  BatchData::Impl& d = call.d;
  const Index size = model.nv() * model.nv();
  call.detach(d.M);
  kernels::mass_matrix_batch(d.compact, d.work, q.map(), BatchOutput(d.M.data(), size, q.cols()));
  return {d.M.data(), size, q.cols()};
}

BatchData::Result mass_matrix_inverse(const Model& model, BatchData& data, StatesView q) {
  BatchCall call("mass_matrix_inverse", model, data);
  call.q(q).reserved(Dense::kMassMatrixInverse, "kMassMatrixInverse");
  BatchData::Impl& d = call.d;
  d.singular = 0;
  return call.each(d.M_inverse, [&](Index i) {
    const MatrixXd& inverse = mass_matrix_inverse(model, d.one, BatchCall::at(q, i));
    if (d.one.singular()) ++d.singular;
    return entries(inverse);
  });
}

BatchData::Result coriolis_matrix(const Model& model, BatchData& data, StatesView q, StatesView v) {
  BatchCall call("coriolis_matrix", model, data);
  call.q_v(q, v).reserved(Dense::kCoriolisMatrix, "kCoriolisMatrix");
  return call.each(call.d.C, [&](Index i) {
    return entries(coriolis_matrix(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i)));
  });
}

BatchInverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, BatchData& data,
                                                             StatesView q, StatesView v,
                                                             StatesView a, BatchForces external) {
  BatchCall call("inverse_dynamics_derivatives", model, data);
  call.q_v(q, v).v("a", a).forces(external);
  call.reserved(Dense::kInverseDynamicsDerivatives, "kInverseDynamicsDerivatives");
  BatchData::Impl& d = call.d;
  const Index size = model.nv() * model.nv();
  BatchOutput dq(d.dtau_dq.data(), size, q.cols()), dv(d.dtau_dv.data(), size, q.cols());
  call.detach(d.dtau_dq);
  call.detach(d.dtau_dv);
  const BatchData::Result da = call.each(d.dtau_da, [&](Index i) {
    const InverseDynamicsDerivatives& by =
        inverse_dynamics_derivatives(model, d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                                     BatchCall::at(a, i), call.forces_at(external, i));
    dq.col(i) = entries(by.dtau_dq);
    dv.col(i) = entries(by.dtau_dv);
    return entries(by.dtau_da);
  });
  return {{dq.data(), size, q.cols()}, {dv.data(), size, q.cols()}, da};
}

BatchForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model, BatchData& data,
                                                             StatesView q, StatesView v,
                                                             StatesView tau, BatchForces external) {
  BatchCall call("forward_dynamics_derivatives", model, data);
  call.q_v(q, v).v("tau", tau).forces(external);
  call.reserved(Dense::kForwardDynamicsDerivatives, "kForwardDynamicsDerivatives");
  BatchData::Impl& d = call.d;
  const Index size = model.nv() * model.nv();
  BatchOutput dq(d.da_dq.data(), size, q.cols()), dv(d.da_dv.data(), size, q.cols());
  BatchOutput dtau(d.da_dtau.data(), size, q.cols());
  for (const VectorXd* result : {&d.da_dq, &d.da_dv, &d.da_dtau}) call.detach(*result);
  d.singular = 0;
  const BatchData::Result a = call.each(d.a, [&](Index i) -> const VectorXd& {
    const ForwardDynamicsDerivatives& by =
        forward_dynamics_derivatives(model, d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                                     BatchCall::at(tau, i), call.forces_at(external, i));
    if (d.one.singular()) ++d.singular;
    dq.col(i) = entries(by.da_dq);
    dv.col(i) = entries(by.da_dv);
    dtau.col(i) = entries(by.da_dtau);
    return by.a;
  });
  return {
      {dq.data(), size, q.cols()}, {dv.data(), size, q.cols()}, {dtau.data(), size, q.cols()}, a};
}

BatchData::Result regressor(const Model& model, BatchData& data, StatesView q, StatesView v,
                            StatesView a) {
  BatchCall call("regressor", model, data);
  call.q_v(q, v).v("a", a).reserved(Dense::kRegressor, "kRegressor");
  return call.each(call.d.Y, [&](Index i) {
    return entries(regressor(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                             BatchCall::at(a, i)));
  });
}

BatchData::Result joint_wrenches(const Model& model, BatchData& data, StatesView q, StatesView v,
                                 StatesView a, BatchForces external) {
  BatchCall call("joint_wrenches", model, data);
  call.q_v(q, v).v("a", a).forces(external).reserved(Dense::kJointWrenches, "kJointWrenches");
  return call.each(call.d.wrenches, [&](Index i) -> BatchColumn {
    const std::vector<Force>& wrenches =
        joint_wrenches(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                       BatchCall::at(a, i), call.forces_at(external, i));
    return {reinterpret_cast<const double*>(wrenches.data()), 6 * call.d.bodies};
  });
}

}  // namespace spatial_dynamics
