#include "spatial_dynamics/algorithms/checked.hpp"

#include <stdexcept>

#include "spatial_dynamics/algorithms/coriolis_matrix.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"

namespace spatial_dynamics::checked {
namespace {

[[noreturn]] void refuse(const Model& model, const std::string& what) {
  throw std::invalid_argument("model '" + model.name() + "': " + what + ".");
}

void require_size(const Model& model, const char* name, Index size, Index expected) {
  if (size == expected) return;
  refuse(model, std::string(name) + " has " + std::to_string(size) + " numbers but needs " +
                    std::to_string(expected));
}

void require_state(const Model& model, const Data& data, VectorIn q) {
  if (data.tau.size() != model.nv() || data.X.size() != to_size(model.body_count())) {
    refuse(model, "the Data was made for another model; construct Data(model)");
  }
  require_size(model, "q", q.size(), model.nq());
}

void require_forces(const Model& model, const ExternalForces& external) {
  if (!external.empty() && external.body_count() != model.body_count()) {
    refuse(model,
           "the ExternalForces were made for another model; construct ExternalForces(model)");
  }
}

}  // namespace

const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                 const ExternalForces& external) {
  require_state(model, data, q);
  require_size(model, "v", v.size(), model.nv());
  require_size(model, "a", a.size(), model.nv());
  require_forces(model, external);
  return spatial_dynamics::inverse_dynamics(model, data, q, v, a, external);
}

const VectorXd& forward_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v,
                                 VectorIn tau, const ExternalForces& external) {
  require_state(model, data, q);
  require_size(model, "v", v.size(), model.nv());
  require_size(model, "tau", tau.size(), model.nv());
  require_forces(model, external);
  return spatial_dynamics::forward_dynamics(model, data, q, v, tau, external);
}

const VectorXd& bias_torque(const Model& model, Data& data, VectorIn q, VectorIn v) {
  require_state(model, data, q);
  require_size(model, "v", v.size(), model.nv());
  return spatial_dynamics::bias_torque(model, data, q, v);
}

const VectorXd& gravity_torque(const Model& model, Data& data, VectorIn q) {
  require_state(model, data, q);
  return spatial_dynamics::gravity_torque(model, data, q);
}

const MatrixXd& mass_matrix(const Model& model, Data& data, VectorIn q) {
  require_state(model, data, q);
  return spatial_dynamics::mass_matrix(model, data, q);
}

const MatrixXd& coriolis_matrix(const Model& model, Data& data, VectorIn q, VectorIn v) {
  require_state(model, data, q);
  require_size(model, "v", v.size(), model.nv());
  return spatial_dynamics::coriolis_matrix(model, data, q, v);
}

}  // namespace spatial_dynamics::checked
