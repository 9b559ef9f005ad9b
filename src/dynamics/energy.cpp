#include "spatial_dynamics/dynamics/energy.hpp"

#include "data_impl.hpp"
#include "spatial_dynamics/textbook/energy.hpp"

namespace spatial_dynamics {

double kinetic_energy(const Model& model, Data& data, VectorView q, VectorView v) {
  const Checks check("kinetic_energy", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  return textbook::kinetic_energy(model, d.textbook, q.map(), v.map());
}

double potential_energy(const Model& model, Data& data, VectorView q) {
  const Checks check("potential_energy", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  return textbook::potential_energy(model, d.textbook, q.map());
}

Vector3 center_of_mass(const Model& model, Data& data, VectorView q) {
  const Checks check("center_of_mass", model);
  Data::Impl& d = prepare(check, model, data);
  check.q(q);
  return textbook::center_of_mass(model, d.textbook, q.map());
}

Force centroidal_momentum(const Model& model, Data& data, VectorView q, VectorView v) {
  const Checks check("centroidal_momentum", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v);
  return textbook::centroidal_momentum(model, d.textbook, q.map(), v.map());
}

}  // namespace spatial_dynamics
