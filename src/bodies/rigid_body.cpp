#include "spatial_dynamics/bodies/rigid_body.hpp"

#include <Eigen/Cholesky>
#include <stdexcept>
#include <utility>

#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics {

RigidBody::RigidBody(double mass, const Matrix3& inertia, const Vector3& center,
                     const Vector3& velocity, const Vector3& angular_momentum,
                     std::vector<Vector3> offsets)
    : mass_(mass),
      I_(0.5 * (inertia + inertia.transpose())),
      center_(center),
      velocity_(velocity),
      L_(angular_momentum),
      offsets_(std::move(offsets)),
      point_masses_(offsets_.size(), 0.0) {
  if (!(mass > 0.0)) throw std::invalid_argument("a rigid body needs a positive mass");
  if (is_collinear(I_)) {
    throw std::invalid_argument(
        "the inertia is that of a line or zero: it needs three positive moments");
  }
}

RigidBody RigidBody::from_points(const PointMasses& points) {
  require_rigid_body(points);
  const Vector3 center = spatial_dynamics::center_of_mass(points);
  std::vector<Vector3> offsets;
  std::vector<double> masses;
  for (const PointMass& p : points) {
    offsets.emplace_back(p.position - center);
    masses.push_back(p.mass);
  }
  RigidBody body(total_mass(points), inertia_tensor(points), center, center_velocity(points),
                 spatial_dynamics::angular_momentum(points), std::move(offsets));
  body.point_masses_ = std::move(masses);
  return body;
}

Vector3 RigidBody::angular_velocity() const noexcept { return I_.llt().solve(L_); }

void RigidBody::step(double dt, const PointForce& outer) {
  const Matrix3 R = exp_rotation(dt * angular_velocity());  // [eq. 37, 52]
  for (Vector3& x : offsets_) x = R * x;                    // [eq. 38]
  const Matrix3 rotated = R * I_ * R.transpose();           // [eq. 62]
  I_ = 0.5 *
       (rotated + rotated.transpose());  // rounding must not make it asymmetric over many steps
  center_ += dt * velocity_;             // [eq. 39]
  time_ += dt;
  if (!outer) return;
  // Forces at the end of the step, all from one state.
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  for (std::size_t k = 0; k < offsets_.size(); ++k) {
    const Vector3 f = outer(k, point(k), time_);
    force += f;
    torque += offsets_[k].cross(f);
  }
  velocity_ += (dt / mass_) * force;  // [eq. 40]
  L_ += dt * torque;                  // [eq. 41]
}

PointMass RigidBody::point(std::size_t k) const noexcept {
  const Vector3& x = offsets_[k];
  return {point_masses_[k], center_ + x, velocity_ + angular_velocity().cross(x)};
}

double RigidBody::kinetic_energy() const noexcept {
  return 0.5 * (mass_ * velocity_.squaredNorm() + angular_velocity().dot(L_));
}

}  // namespace spatial_dynamics
