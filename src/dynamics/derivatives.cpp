#include "spatial_dynamics/dynamics/derivatives.hpp"

#include "data_impl.hpp"

namespace spatial_dynamics {
namespace {

/// The arguments, copied if they share memory with a matrix of the result.
struct State {
  const double *q, *v, *x;
};
State detached_state(Data::Impl& d, const kernels::Derivatives& result, VectorView q, VectorView v,
                     VectorView x) noexcept {
  State s{q.data(), v.data(), x.data()};
  // An argument is copied at most once, because its copy shares memory with no result.
  const auto detach = [&](const double* from, Index size) {
    s.q = s.q != q.data() ? s.q : detached(q, from, size, d.q_copy);
    s.v = s.v != v.data() ? s.v : detached(v, from, size, d.v_copy);
    s.x = s.x != x.data() ? s.x : detached(x, from, size, d.x_copy);
  };
  for (const MatrixXd* matrix : {&result.by_q, &result.by_v, &result.by_effort}) {
    detach(matrix->data(), matrix->size());
  }
  detach(result.acceleration.data(), result.acceleration.size());
  return s;
}

}  // namespace

const InverseDynamicsDerivatives& inverse_dynamics_derivatives(const Model& model, Data& data,
                                                               VectorView q, VectorView v,
                                                               VectorView a,
                                                               const ExternalForces& external) {
  const Checks check("inverse_dynamics_derivatives", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.forces(external);
  check.reserved(d.inverse.has_value(), "Data", "kInverseDynamicsDerivatives");
  const State s = detached_state(d, d.inverse->d, q, v, a);
  kernels::inverse_dynamics_derivatives(d.compact, d.work, d.inverse->d, numbers(s.q, model.nq()),
                                        numbers(s.v, model.nv()), numbers(s.x, model.nv()),
                                        on_bodies(external));
  return d.inverse->result;
}

const ForwardDynamicsDerivatives& forward_dynamics_derivatives(const Model& model, Data& data,
                                                               VectorView q, VectorView v,
                                                               VectorView tau,
                                                               const ExternalForces& external) {
  const Checks check("forward_dynamics_derivatives", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "tau", tau);
  check.forces(external);
  check.reserved(d.forward.has_value(), "Data", "kForwardDynamicsDerivatives");
  const State s = detached_state(d, d.forward->d, q, v, tau);
  d.singular = !kernels::forward_dynamics_derivatives(
      d.compact, d.work, d.forward->d, numbers(s.q, model.nq()), numbers(s.v, model.nv()),
      numbers(s.x, model.nv()), on_bodies(external));
  return d.forward->result;
}

}  // namespace spatial_dynamics
