// Forces of springs on planar joints.
#pragma once

#include <cmath>

#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

/// Rotates the two forces of each planar joint from the axes of its positions, which are fixed in
/// the joint's frame, to the axes of its velocities, which are fixed in the child. A spring then
/// does the work that its energy loses. Leaves other coordinates unchanged. Real-time safe.
inline void rotate_planar_forces(const Coordinates& coordinates, const VectorXd& q,
                                 VectorXd& force) noexcept {
  for (std::size_t k = 0; k + 2 < coordinates.size(); ++k) {
    const ScalarCoordinate& x = coordinates[k];
    if (x.type != JointType::kPlanar) continue;
    const double angle = q(x.q + 2);
    const double c = std::cos(angle), s = std::sin(angle);
    const double fx = force(x.v), fy = force(x.v + 1);
    force(x.v) = c * fx + s * fy;
    force(x.v + 1) = c * fy - s * fx;
    k += 2;  // its y and angle
  }
}

}  // namespace spatial_dynamics
