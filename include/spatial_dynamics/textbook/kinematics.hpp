// Poses, velocities, accelerations and Jacobians of links.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// Positions of all bodies: data.X, data.X_world. Real-time safe.
void forward_kinematics(const Model& model, Data& data, VectorIn q) noexcept;
/// Positions and velocities: data.v too. Real-time safe.
void forward_kinematics(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;
/// Positions, velocities and (spatial) accelerations without gravity: data.a too. Real-time safe.
void forward_kinematics(const Model& model, Data& data, VectorIn q, VectorIn v,
                        VectorIn a) noexcept;

// The following functions read the results of forward_kinematics in data.

/// From the world's frame to the link's; rotation() and position() are the link's pose in the
/// world. Real-time safe.
Transform link_transform(const Model& model, const Data& data, Index link) noexcept;
/// Velocity of a link. Real-time safe.
Motion link_velocity(const Model& model, const Data& data, Index link, Frame frame) noexcept;
/// Spatial acceleration of a link. Real-time safe.
Motion link_acceleration(const Model& model, const Data& data, Index link, Frame frame) noexcept;
/// Classical acceleration of the link's origin (an accelerometer's reading plus gravity) and
/// angular acceleration: linear part = spatial part + w x v. World axes. Real-time safe.
Motion link_classical_acceleration(const Model& model, const Data& data, Index link) noexcept;

/// J with link velocity = J v; rows [angular; linear]; `J` has 6 x nv. Needs positions. Real-time
/// safe.
void link_jacobian(const Model& model, const Data& data, Index link, Frame frame,
                   Eigen::Ref<Matrix6X> J) noexcept;
/// The time derivative of the above; needs velocities. d/dt (link velocity's coordinates) = J a +
/// J' v. Real-time safe.
void link_jacobian_derivative(const Model& model, const Data& data, Index link, Frame frame,
                              Eigen::Ref<Matrix6X> J_dot) noexcept;

}  // namespace spatial_dynamics::textbook
