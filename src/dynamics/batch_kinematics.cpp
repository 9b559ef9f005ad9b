// Batches of links' motions, Jacobians, energies and momenta.
#include "batch_impl.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"

namespace spatial_dynamics {
namespace {

Eigen::Matrix<double, 1, 1> number(double x) noexcept { return Eigen::Matrix<double, 1, 1>(x); }

}  // namespace

BatchData::Result link_pose(const Model& model, BatchData& data, StatesView q, Index link) {
  BatchCall call("link_pose", model, data);
  call.q(q).link(link);
  return call.each(call.d.pose, [&](Index i) {
    const Transform pose = link_pose(model, call.d.one, BatchCall::at(q, i), link);
    Eigen::Matrix<double, 7, 1> numbers;
    numbers << pose.position(), Quaternion(pose.rotation()).coeffs();
    return numbers;
  });
}

BatchData::Result link_velocity(const Model& model, BatchData& data, StatesView q, StatesView v,
                                Index link, Frame frame) {
  BatchCall call("link_velocity", model, data);
  call.q_v(q, v).link(link);
  return call.each(call.d.velocity, [&](Index i) {
    return link_velocity(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i), link, frame)
        .vector();
  });
}

BatchData::Result link_acceleration(const Model& model, BatchData& data, StatesView q, StatesView v,
                                    StatesView a, Index link, Frame frame) {
  BatchCall call("link_acceleration", model, data);
  call.q_v(q, v).v("a", a).link(link);
  return call.each(call.d.spatial_acceleration, [&](Index i) {
    return link_acceleration(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                             BatchCall::at(a, i), link, frame)
        .vector();
  });
}

BatchData::Result link_classical_acceleration(const Model& model, BatchData& data, StatesView q,
                                              StatesView v, StatesView a, Index link) {
  BatchCall call("link_classical_acceleration", model, data);
  call.q_v(q, v).v("a", a).link(link);
  return call.each(call.d.classical_acceleration, [&](Index i) {
    return link_classical_acceleration(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i),
                                       BatchCall::at(a, i), link)
        .vector();
  });
}

BatchData::Result jacobian(const Model& model, BatchData& data, StatesView q, Index link,
                           Frame frame) {
  BatchCall call("jacobian", model, data);
  call.q(q).link(link).reserved(Dense::kJacobian, "kJacobian");
  return call.each(call.d.J, [&](Index i) {
    return entries(jacobian(model, call.d.one, BatchCall::at(q, i), link, frame));
  });
}

BatchData::Result jacobian_rate(const Model& model, BatchData& data, StatesView q, StatesView v,
                                Index link, Frame frame) {
  BatchCall call("jacobian_rate", model, data);
  call.q_v(q, v).link(link).reserved(Dense::kJacobian, "kJacobian");
  return call.each(call.d.J_rate, [&](Index i) {
    return entries(
        jacobian_rate(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i), link, frame));
  });
}

BatchData::Result kinetic_energy(const Model& model, BatchData& data, StatesView q, StatesView v) {
  BatchCall call("kinetic_energy", model, data);
  call.q_v(q, v);
  return call.each(call.d.kinetic, [&](Index i) {
    return number(kinetic_energy(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i)));
  });
}

BatchData::Result potential_energy(const Model& model, BatchData& data, StatesView q) {
  BatchCall call("potential_energy", model, data);
  call.q(q);
  return call.each(call.d.potential, [&](Index i) {
    return number(potential_energy(model, call.d.one, BatchCall::at(q, i)));
  });
}

BatchData::Result center_of_mass(const Model& model, BatchData& data, StatesView q) {
  BatchCall call("center_of_mass", model, data);
  call.q(q);
  return call.each(call.d.com,
                   [&](Index i) { return center_of_mass(model, call.d.one, BatchCall::at(q, i)); });
}

BatchData::Result centroidal_momentum(const Model& model, BatchData& data, StatesView q,
                                      StatesView v) {
  BatchCall call("centroidal_momentum", model, data);
  call.q_v(q, v);
  return call.each(call.d.momentum, [&](Index i) {
    return centroidal_momentum(model, call.d.one, BatchCall::at(q, i), BatchCall::at(v, i))
        .vector();
  });
}

}  // namespace spatial_dynamics
