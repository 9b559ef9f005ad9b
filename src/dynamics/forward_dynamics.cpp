#include "spatial_dynamics/dynamics/forward_dynamics.hpp"

#include "data_impl.hpp"
#include "kernels/forward_dynamics.hpp"

namespace spatial_dynamics {

const VectorXd& forward_dynamics(const Model& model, Data& data, VectorView q, VectorView v,
                                 VectorView tau, const ExternalForces& external) {
  const Checks check("forward_dynamics", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "tau", tau);
  check.forces(external);
  check.reserved(!d.compact.reduced() || d.work.has_matrix(), "Data", "kMassMatrix");
  const Index n = model.nv();
  const double* const a = d.work.acceleration.data();
  kernels::forward_dynamics(d.compact, d.work, numbers(detached(q, a, n, d.q_copy), model.nq()),
                            numbers(detached(v, a, n, d.v_copy), n),
                            numbers(detached(tau, a, n, d.x_copy), n), on_bodies(external));
  d.singular = d.work.singular;
  return d.work.acceleration;
}

}  // namespace spatial_dynamics
