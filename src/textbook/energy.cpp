#include "spatial_dynamics/textbook/energy.hpp"

#include "joint_space.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"

namespace spatial_dynamics::textbook {
namespace {

/// First moment of all mass in the world's frame; needs positions.
Vector3 first_moment(const Model& model, const Data& data) noexcept {
  Vector3 sum = model.inertia(0).h;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Transform& X = data.X_world[to_size(i)];
    sum += X.E.transpose() * model.inertia(i).h + model.inertia(i).mass * X.position();
  }
  return sum;
}

}  // namespace

double kinetic_energy(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept {
  forward_kinematics(model, data, q, v);
  double twice = 0.0;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    twice += quadratic_form(model.inertia(i), data.v[to_size(i)]);
    twice += joint.armature * joint.ratio * joint.ratio *
             v.segment(joint.v_index, joint.nv).squaredNorm();
  }
  return 0.5 * twice;
}

double potential_energy(const Model& model, Data& data, VectorIn q) noexcept {
  forward_kinematics(model, data, q);
  return -model.gravity().dot(first_moment(model, data));
}

Vector3 center_of_mass(const Model& model, Data& data, VectorIn q) noexcept {
  forward_kinematics(model, data, q);
  const double mass = model.total_mass();
  return mass > 0.0 ? Vector3(first_moment(model, data) / mass) : Vector3::Zero();
}

Force centroidal_momentum(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept {
  forward_kinematics(model, data, q, v);
  Force momentum = Force::Zero();  // about the world's origin
  for (Index i = 1; i < model.body_count(); ++i) {
    momentum += data.X_world[to_size(i)].apply_transpose(model.inertia(i) * data.v[to_size(i)]);
  }
  const double mass = model.total_mass();
  if (mass <= 0.0) return momentum;
  return Transform::translation(first_moment(model, data) / mass).apply_star(momentum);
}

}  // namespace spatial_dynamics::textbook
