// The smallest forces at given points that add up to a given wrench and stay within friction cones.
#pragma once

#include <limits>
#include <vector>

#include "spatial_dynamics/spatial/force.hpp"

namespace spatial_dynamics {

/// The ground that forces push against: a force f is possible if its normal part f.normal is not
/// negative and its tangential part is at most `friction` times as large.
struct Ground {
  Vector3 normal = Vector3::UnitZ();                          ///< unit vector away from the ground
  double friction = std::numeric_limits<double>::infinity();  ///< >= 0; infinity: no limit
};

/// Finds possible forces f_i at the points p_i with sum f_i = wrench.force and sum p_i x f_i =
/// wrench.moment, with the smallest sum of squares; they are unique. Returns true if they exist,
/// with a remainder of at most 1e-10 of the wrench. Otherwise returns false, and the forces are
/// meaningless. Forces more than 1e6 times as large as the wrench count as impossible: they come
/// from points that lie in a plane or on a line except for rounding.
///
/// `forces` must have the size of `points`. At most 24 x 60 Newton steps with up to 60 bisections
/// each, all of O(points): 88000 evaluations. 50 are usual; in tests with forces on the surface of
/// their cones, the largest number was 11000. Does not allocate or lock.
bool smallest_forces(const std::vector<Vector3>& points, const Force& wrench, const Ground& ground,
                     std::vector<Vector3>& forces) noexcept;

}  // namespace spatial_dynamics
