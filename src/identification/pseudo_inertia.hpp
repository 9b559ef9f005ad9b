// Physically consistent inertias by construction: the log-Cholesky parameters of the
// pseudo-inertia.
#pragma once

#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

/// J = [S h; h' m] with S = integral of r r' dm. A body with positive density everywhere has a
/// positive definite J, and every positive definite J is that of such a body.
using PseudoInertia = Eigen::Matrix4d;

PseudoInertia pseudo_inertia(const InertialParameters& p) noexcept;
InertialParameters parameters_of(const PseudoInertia& J) noexcept;

/// J = U U', U = e^alpha [e^d1 s12 s13 t1; 0 e^d2 s23 t2; 0 0 e^d3 t3; 0 0 0 1]. Order: alpha, d1,
/// d2, d3, s12, s23, s13, t1, t2, t3. The mass is e^(2 alpha).
using LogCholesky = Eigen::Matrix<double, 10, 1>;
/// `J` must be positive definite.
LogCholesky log_cholesky(const PseudoInertia& J) noexcept;
PseudoInertia pseudo_inertia_of(const LogCholesky& theta) noexcept;
/// d p / d theta.
Eigen::Matrix<double, 10, 10> parameters_jacobian(const LogCholesky& theta) noexcept;
/// log det J: 2 (4 alpha + d1 + d2 + d3). This is its derivative.
LogCholesky log_determinant_gradient() noexcept;

/// The nearest J with principal spreads of at least `radius`^2 times the mass: for point masses,
/// thin rods and inertias that violate the triangle inequality. The mass must be positive.
PseudoInertia with_least_spread(const PseudoInertia& J, double radius);

/// The matrix M of  tr(J^-1 dJ J^-1 dJ) = dp' M dp: the size of a change relative to J, in any
/// frame.
Eigen::Matrix<double, 10, 10> relative_metric(const PseudoInertia& J);
/// The vector c of  tr(J0^-1 J) = c' p.
InertialParameters trace_gradient(const PseudoInertia& J0);

}  // namespace spatial_dynamics
