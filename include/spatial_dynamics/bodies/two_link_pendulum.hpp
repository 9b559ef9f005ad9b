// Changes of generalised velocities, and the two-link pendulum in both of its usual coordinates.
// [SOA 2: generalised velocities]
#pragma once

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// M beta' + bias = T: an equation of motion in generalised velocities beta and the forces T whose
/// power is T.beta.
struct EquationOfMotion {
  MatrixXd M;
  VectorXd bias;
};

/// T1 = A^-T T: the force that has the same power along beta1 = A beta as T along beta. Allocates.
VectorXd change_force(const MatrixXd& A, const VectorXd& T);
/// The same motion in beta1 = A beta, where A_rate = dA/dt: M1 = A^-T M A^-1, bias1 = A^-T (bias -
/// M A^-1 A_rate beta). Allocates.
EquationOfMotion change_velocity(const EquationOfMotion& equation, const MatrixXd& A,
                                 const MatrixXd& A_rate, const VectorXd& beta);

/// Relative: the second angle is that of the elbow. Absolute: both angles are measured from the
/// vertical.
enum class PendulumAngles { kRelative, kAbsolute };

/// Two rods that hang from a hinge and rotate in a plane. SI units.
struct TwoLinkPendulum {
  double m1, m2;  ///< masses
  double l1;      ///< from the hinge to the elbow
  double c1, c2;  ///< from each link's hinge to its centre of mass
  double I1, I2;  ///< inertias about the centres of mass
  double g;       ///< gravity
};

/// The equation of motion in these angles and their rates; T holds the torque at the hinge and at
/// the elbow for relative angles, and the torque on each link as a whole for absolute ones.
/// Allocates.
EquationOfMotion equation_of_motion(const TwoLinkPendulum& pendulum, PendulumAngles angles,
                                    const VectorXd& q, const VectorXd& v);
/// Kinetic and potential energy, the latter zero at the hinge. Real-time safe.
double energy(const TwoLinkPendulum& pendulum, PendulumAngles angles, VectorIn q,
              VectorIn v) noexcept;
/// A with (absolute rates) = A (relative rates): [1 0; 1 1]. Real-time safe.
Eigen::Matrix2d absolute_from_relative() noexcept;

}  // namespace spatial_dynamics
