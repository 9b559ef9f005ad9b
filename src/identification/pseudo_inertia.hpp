// Physically consistent inertias: those with a positive definite pseudo-inertia.
#pragma once

#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

/// J = [S h; h' m] with S = integral of r r' dm. A body with positive density everywhere has a
/// positive definite J, and every positive definite J is that of such a body.
using PseudoInertia = Eigen::Matrix4d;

PseudoInertia pseudo_inertia(const InertialParameters& p) noexcept;
InertialParameters parameters_of(const PseudoInertia& J) noexcept;

/// The nearest J with principal spreads of at least `radius`^2 times the mass: for point masses,
/// thin rods and inertias that violate the triangle inequality. The mass must be positive.
PseudoInertia with_least_spread(const PseudoInertia& J, double radius);

/// The matrix M of  tr(J^-1 dJ J^-1 dJ) = dp' M dp: the size of a change relative to J, in any
/// frame.
Eigen::Matrix<double, 10, 10> relative_metric(const PseudoInertia& J);
/// The vector c of  tr(J0^-1 J) = c' p.
InertialParameters trace_gradient(const PseudoInertia& J0);

}  // namespace spatial_dynamics
