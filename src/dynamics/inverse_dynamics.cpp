#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"

#include "data_impl.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

namespace spatial_dynamics {

const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorView q, VectorView v,
                                 VectorView a, const ExternalForces& external) {
  const Checks check("inverse_dynamics", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.forces(external);
  const Index n = model.nv();
  const double* const tau = d.work.tau.data();
  return kernels::inverse_dynamics(d.compact, d.work,
                                   numbers(detached(q, tau, n, d.q_copy), model.nq()),
                                   numbers(detached(v, tau, n, d.v_copy), n),
                                   numbers(detached(a, tau, n, d.x_copy), n), on_bodies(external));
}

const VectorXd& rigid_body_torque(const Model& model, Data& data, VectorView q, VectorView v,
                                  VectorView a, const ExternalForces& external) {
  const Checks check("rigid_body_torque", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.forces(external);
  const Index n = model.nv();
  const double* const tau = d.work.rigid.data();
  return kernels::rigid_body_torque(d.compact, d.work,
                                    numbers(detached(q, tau, n, d.q_copy), model.nq()),
                                    numbers(detached(v, tau, n, d.v_copy), n),
                                    numbers(detached(a, tau, n, d.x_copy), n), on_bodies(external));
}

const VectorXd& friction_torque(const Model& model, Data& data, VectorView v) {
  return friction_torque(model, data, v, v);
}

const VectorXd& friction_torque(const Model& model, Data& data, VectorView v,
                                VectorView coulomb_velocity) {
  const Checks check("friction_torque", model);
  Data::Impl& d = prepare(check, model, data);
  check.v("v", v);
  check.v("coulomb_velocity", coulomb_velocity);
  d.friction = textbook::friction_torque(model, d.textbook, v.map(), coulomb_velocity.map());
  return d.friction;
}

const VectorXd& rotor_torque(const Model& model, Data& data, VectorView a) {
  const Checks check("rotor_torque", model);
  Data::Impl& d = prepare(check, model, data);
  check.v("a", a);
  const Index n = model.nv();
  const auto acceleration = numbers(detached(a, d.rotor.data(), n, d.x_copy), n);
  d.rotor.setZero();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    // The rotor of a mimic joint accelerates with ratio * a, and its torque acts with the same
    // ratio.
    const double rotor = joint.armature * joint.ratio * joint.ratio;
    if (rotor == 0.0) continue;
    d.rotor.segment(joint.v_index, joint.nv) +=
        rotor * acceleration.segment(joint.v_index, joint.nv);
  }
  return d.rotor;
}

const VectorXd& bias_torque(const Model& model, Data& data, VectorView q, VectorView v,
                            const ExternalForces& external) {
  const Checks check("bias_torque", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  check.forces(external);
  const Index n = model.nv();
  const double* const tau = d.work.bias.data();
  return kernels::bias_torque(d.compact, d.work, numbers(detached(q, tau, n, d.q_copy), model.nq()),
                              numbers(detached(v, tau, n, d.v_copy), n), on_bodies(external));
}

const VectorXd& gravity_torque(const Model& model, Data& data, VectorView q,
                               const ExternalForces& external) {
  const Checks check("gravity_torque", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  check.forces(external);
  const auto configuration =
      numbers(detached(q, d.work.gravity.data(), model.nv(), d.q_copy), model.nq());
  return external.empty()
             ? kernels::gravity_torque(d.compact, d.work, configuration)
             : kernels::gravity_torque(d.compact, d.work, configuration, on_bodies(external));
}

const std::vector<Force>& joint_wrenches(const Model& model, Data& data, VectorView q, VectorView v,
                                         VectorView a, const ExternalForces& external) {
  const Checks check("joint_wrenches", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.forces(external);
  textbook::inverse_dynamics(model, d.textbook, q.map(), v.map(), a.map(), external);
  d.wrenches.swap(d.textbook.f);  // the next recursion overwrites textbook.f
  return d.wrenches;
}

}  // namespace spatial_dynamics
