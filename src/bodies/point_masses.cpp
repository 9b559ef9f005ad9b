#include "spatial_dynamics/bodies/point_masses.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>
#include <string>

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {
namespace {

// Moments grow with the square of a length: 1e-12 of the largest moment is a millionth of the
// longest extent. Rounding errors are about 1e-16.
constexpr double kCollinearMoment = 1e-12;

}  // namespace

double total_mass(const PointMasses& points) noexcept {
  double mass = 0.0;
  for (const PointMass& p : points) mass += p.mass;
  return mass;
}

Vector3 center_of_mass(const PointMasses& points) noexcept {
  Vector3 sum = Vector3::Zero();
  for (const PointMass& p : points) sum += p.mass * p.position;
  return sum / total_mass(points);
}

Vector3 center_velocity(const PointMasses& points) noexcept {
  Vector3 sum = Vector3::Zero();
  for (const PointMass& p : points) sum += p.mass * p.velocity;
  return sum / total_mass(points);
}

Vector3 angular_momentum(const PointMasses& points) noexcept {
  const Vector3 center = center_of_mass(points), velocity = center_velocity(points);
  Vector3 L = Vector3::Zero();
  for (const PointMass& p : points) {
    L += p.mass * (p.position - center).cross(p.velocity - velocity);
  }
  return L;
}

Matrix3 inertia_tensor(const PointMasses& points) noexcept {
  const Vector3 center = center_of_mass(points);
  Matrix3 I = Matrix3::Zero();
  // |x|^2 E - x x' is Steiner's term of a point mass.
  for (const PointMass& p : points) I += p.mass * Inertia::steiner(p.position - center);
  return I;
}

double kinetic_energy(const PointMasses& points) noexcept {
  double energy = 0.0;
  for (const PointMass& p : points) energy += 0.5 * p.mass * p.velocity.squaredNorm();
  return energy;
}

bool is_collinear(const Matrix3& inertia_about_center) noexcept {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia_about_center, Eigen::EigenvaluesOnly);
  const Vector3& moments = solver.eigenvalues();  // ascending
  return !(moments(0) > kCollinearMoment * moments(2));
}

void require_rigid_body(const PointMasses& points) {
  if (points.size() < 3) {
    throw std::invalid_argument("a rigid body needs at least three points, and " +
                                std::to_string(points.size()) +
                                " are given: add some off the line");
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointMass& p = points[k];
    if (!(p.mass > 0.0) || !std::isfinite(p.mass) || !p.position.allFinite() ||
        !p.velocity.allFinite()) {
      throw std::invalid_argument("point " + std::to_string(k) +
                                  " needs a positive mass and finite numbers throughout");
    }
  }
  if (is_collinear(inertia_tensor(points))) {
    throw std::invalid_argument("all " + std::to_string(points.size()) +
                                " points lie on a line, so that their rotation about it is not "
                                "determined: move one off it");
  }
}

}  // namespace spatial_dynamics
