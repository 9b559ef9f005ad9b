// The ten inertial parameters of a link, in which torques are linear.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Numbers per link, in this order: m, hx, hy, hz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz. h = m c is the
/// first moment, I the rotational inertia about the link's origin (not its centre of mass), both
/// along the link's axes. kg, kg m, kg m^2.
inline constexpr Index kInertialParameters = 10;
using InertialParameters = Eigen::Matrix<double, kInertialParameters, 1>;

/// The ten numbers of an inertia. Real-time safe.
InertialParameters inertial_parameters(const Inertia& inertia) noexcept;
/// The inertia with these ten numbers. Real-time safe.
Inertia inertia_from_parameters(const InertialParameters& p) noexcept;

/// p: the parameters of all links without payloads, in the order of Model::link(). 10 x
/// link_count(). Allocates.
VectorXd link_parameters(const Model& model);

}  // namespace spatial_dynamics
