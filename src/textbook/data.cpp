#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

Data::Data(const Model& model, bool with_matrices) {
  const auto bodies = to_size(model.body_count());
  const Index n = model.nv();
  X.assign(bodies, Transform::Identity());
  X_world.assign(bodies, Transform::Identity());
  v.assign(bodies, Motion::Zero());
  a.assign(bodies, Motion::Zero());
  c.assign(bodies, Motion::Zero());
  f.assign(bodies, Force::Zero());
  IA.assign(bodies, ArticulatedInertia::Zero());
  pA.assign(bodies, Force::Zero());
  U.resize(bodies);
  D_inverse.resize(bodies);
  u.resize(bodies);
  Ic.assign(bodies, Inertia::Zero());
  Bc.assign(bodies, Matrix6::Zero());
  tau = VectorXd::Zero(n);
  acceleration = VectorXd::Zero(n);
  bias = VectorXd::Zero(n);
  gravity = VectorXd::Zero(n);
  friction = VectorXd::Zero(n);
  zero = VectorXd::Zero(n);
  if (!with_matrices) return;
  M.resize(n, n);
  C.resize(n, n);
  if (model.has_mimic()) M_factor.resize(n, n);
}

}  // namespace spatial_dynamics::textbook
