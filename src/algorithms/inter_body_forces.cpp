#include "spatial_dynamics/algorithms/inter_body_forces.hpp"

#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"

namespace spatial_dynamics {

const std::vector<Force>& inter_body_forces(const Model& model, Data& data, VectorIn q, VectorIn v,
                                            VectorIn tau, const ExternalForces& external) noexcept {
  forward_dynamics(model, data, q, v, tau, external);
  if (data.singular) {
    for (Force& f : data.f) f = Force::Zero();
    return data.f;
  }
  if (model.has_mimic()) {
    inverse_dynamics(model, data, q, v, data.acceleration, external);
    return data.f;
  }
  data.f[0] = model.inertia(0) * data.a[0];
  if (!external.empty()) data.f[0] -= external.on_body(0);
  for (Index i = 1; i < model.body_count(); ++i) {
    const std::size_t b = to_size(i);
    data.f[b] = data.IA[b] * data.a[b] + data.pA[b];
    if (model.parent(i) == 0) data.f[0] += data.X[b].apply_transpose(data.f[b]);
  }
  return data.f;
}

}  // namespace spatial_dynamics
