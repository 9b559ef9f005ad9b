// A hinge defined by its constraints. [SOA 2: hinges and constraints]
#pragma once

#include <functional>

#include "spatial_dynamics/spatial/transform.hpp"

namespace spatial_dynamics {

/// Rows g with g V = 0 (or g V = U(t)) for the relative spatial velocity V = [angular; linear]
/// across a hinge. They may come from the gradient of a function of the pose (holonomic), or not
/// (rolling), and may repeat each other.
using ConstraintMatrix = Eigen::Matrix<double, Eigen::Dynamic, 6>;

/// The remaining freedom: dof = 6 - rank velocities. The degrees of freedom of a hinge are those of
/// its velocity; where constraints are not holonomic, more coordinates than that can be reached
/// over time.
struct Hinge {
  Eigen::Index rank;
  Eigen::Index dof;
  Eigen::Matrix<double, 6, Eigen::Dynamic>
      permitted;  ///< 6 x dof, orthonormal: the motions that it permits
  Eigen::Matrix<double, 6, Eigen::Dynamic>
      reactions;  ///< 6 x rank, orthonormal: the forces that it can transmit without a drive
};

/// Rows are scaled to length 1 before the rank is computed; singular values below 1e-10 of the
/// largest count as zero. Allocates; throws std::invalid_argument if a number is not finite.
Hinge hinge_from_constraints(const ConstraintMatrix& G);

/// The shortest velocity with G V = U: a driven hinge moves with it plus any permitted motion.
/// Allocates; throws std::invalid_argument if no velocity satisfies all rows.
Motion driven_velocity(const ConstraintMatrix& G, const VectorXd& U);

/// G of the holonomic constraint d(X) = 0: the gradient along the child's velocity, by central
/// differences accurate to about 1e-10. X goes from the parent's frame to the child's. Allocates.
ConstraintMatrix constraint_gradient(const std::function<VectorXd(const Transform& X)>& d,
                                     const Transform& X);

/// A ball of this radius (m) that rolls on ground with this unit normal: its lowest point is at
/// rest. In the frame of the ball's centre, along the ground's axes. 3 x 6, not holonomic.
/// Allocates its result.
ConstraintMatrix rolling_ball(double radius, const Vector3& normal);
/// A car: its frame has x forward and z up at the middle of the rear axle. Its wheels do not slip
/// sideways, and it stays on the ground. 4 x 6, not holonomic.
ConstraintMatrix car();

}  // namespace spatial_dynamics
