// Random point masses, and forces on them.
#pragma once

#include "spatial_dynamics/bodies/point_masses.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {

/// Points of 0.5 to 2 kg within a metre of the origin, at up to 1 m/s.
inline PointMasses random_points(Random& random, std::size_t count) {
  PointMasses points;
  for (std::size_t k = 0; k < count; ++k) {
    const double mass = uniform(random, 0.5, 2.0);
    const Vector3 position = random_vector3(random);
    points.push_back({mass, position, random_vector3(random)});
  }
  return points;
}

/// Gives points the velocities of one rigid body. [PES eq. 21]
inline void move_rigidly(PointMasses& points, const Vector3& velocity, const Vector3& omega) {
  const Vector3 center = center_of_mass(points);
  for (PointMass& p : points) p.velocity = velocity + omega.cross(p.position - center);
}

}  // namespace spatial_dynamics::test
