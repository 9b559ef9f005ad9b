#include "spatial_dynamics/bodies/spring_network.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace spatial_dynamics {

double linear_tension(const Spring& spring, double length, double rate) noexcept {
  return spring.stiffness * (length - spring.rest_length) + spring.damping * rate;
}

void add_spring_forces(const PointMasses& points, const std::vector<Spring>& springs,
                       const std::vector<double>& tensions, std::vector<Vector3>& forces) noexcept {
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const Spring& s = springs[i];
    const Vector3 from_a = points[s.b].position - points[s.a].position;
    const double length = from_a.norm();
    if (!(length > 0.0)) continue;
    const Vector3 pull = (tensions[i] / length) * from_a;  // T (x_j - x_k) / |x_j - x_k|
    forces[s.a] += pull;
    forces[s.b] -= pull;
  }
}

SpringNetwork::SpringNetwork(PointMasses points, std::vector<Spring> springs, TensionLaw law)
    : points_(std::move(points)),
      springs_(std::move(springs)),
      law_(std::move(law)),
      tensions_(springs_.size(), 0.0),
      forces_(points_.size(), Vector3::Zero()) {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (!(points_[k].mass > 0.0)) {
      throw std::invalid_argument("point " + std::to_string(k) + " needs a positive mass");
    }
  }
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const Spring& s = springs_[i];
    if (s.a >= points_.size() || s.b >= points_.size() || s.a == s.b) {
      throw std::invalid_argument("spring " + std::to_string(i) + " joins points " +
                                  std::to_string(s.a) + " and " + std::to_string(s.b) +
                                  ": name two different ones below " +
                                  std::to_string(points_.size()));
    }
  }
}

void SpringNetwork::compute_forces(const PointForce& outer) {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    forces_[k] = outer ? outer(k, points_[k], time_) : Vector3::Zero();
  }
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const PointMass &a = points_[springs_[i].a], &b = points_[springs_[i].b];
    const Vector3 between = b.position - a.position;
    const double length = between.norm();
    const double rate = length > 0.0 ? between.dot(b.velocity - a.velocity) / length : 0.0;
    tensions_[i] = law_(springs_[i], length, rate);
  }
  add_spring_forces(points_, springs_, tensions_, forces_);
}

void SpringNetwork::step(double dt, const PointForce& outer) {
  compute_forces(outer);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    PointMass& p = points_[k];
    p.velocity += (0.5 * dt / p.mass) * forces_[k];  // [PES eq. 1], half a step
    p.position += dt * p.velocity;                   // [PES eq. 2]
  }
  time_ += dt;
  compute_forces(outer);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    points_[k].velocity += (0.5 * dt / points_[k].mass) * forces_[k];
  }
}

double SpringNetwork::elastic_energy() const noexcept {
  double energy = 0.0;
  for (const Spring& s : springs_) {
    const double stretch = (points_[s.b].position - points_[s.a].position).norm() - s.rest_length;
    energy += 0.5 * s.stiffness * stretch * stretch;
  }
  return energy;
}

std::vector<Spring> springs_between_all(const PointMasses& points, double stiffness,
                                        double damping) {
  std::vector<Spring> springs;
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      const double length = (points[b].position - points[a].position).norm();
      springs.push_back({a, b, length, stiffness, damping});
    }
  }
  return springs;
}

}  // namespace spatial_dynamics
