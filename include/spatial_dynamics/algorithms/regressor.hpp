// Torques as a linear function of the links' inertial parameters, for identification.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// Numbers per link, in this order: m, hx, hy, hz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz. h = m c is the first moment, I the rotational inertia
/// about the link's origin (not its centre of mass), both along the link's axes. kg, kg m, kg m^2.
inline constexpr Index kInertialParameters = 10;
using InertialParameters = Eigen::Matrix<double, kInertialParameters, 1>;

/// The ten numbers of an inertia. Real-time safe.
InertialParameters inertial_parameters(const Inertia& inertia) noexcept;
/// The inertia with these ten numbers. Real-time safe.
Inertia inertia_from_parameters(const InertialParameters& p) noexcept;

/// p: the parameters of all links as the model has them, payloads left out, in the order of Model::link(). 10 x link_count(). Allocates.
VectorXd link_parameters(const Model& model);

/// Y (nv x 10 link_count()) with Y p = M a + C v + g: the torque of inverse_dynamics without friction, armature and external forces,
/// for any p. Columns of links that do not move are zero. O(links x depth). Real-time safe.
void regressor(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
               Eigen::Ref<MatrixXd> Y) noexcept;

}  // namespace spatial_dynamics
