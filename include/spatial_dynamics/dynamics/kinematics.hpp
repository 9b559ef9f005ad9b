// Poses, velocities, accelerations and Jacobians of links.
#pragma once

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// Each function computes everything from its arguments; none depends on an earlier call. `link` is
// an index of the model, from Model::find_link(). O(n). Real-time safe; throws
// std::invalid_argument for a wrong size or link.

/// The link's pose in the world: rotation() and position(). As a transform, from the world's frame
/// to the link's.
Transform link_pose(const Model& model, Data& data, VectorView q, Index link);

/// Velocity of a link, [angular; linear], rad/s and m/s.
Motion link_velocity(const Model& model, Data& data, VectorView q, VectorView v, Index link,
                     Frame frame = Frame::kLocalWorldAligned);

/// Spatial acceleration of a link, without gravity: the time derivative of its spatial velocity.
Motion link_acceleration(const Model& model, Data& data, VectorView q, VectorView v, VectorView a,
                         Index link, Frame frame = Frame::kLocalWorldAligned);
/// Classical acceleration of the link's origin and angular acceleration, along the world's axes.
/// The linear part is that of the spatial acceleration + w x v. An accelerometer at the origin
/// measures the linear part minus gravity.
Motion link_classical_acceleration(const Model& model, Data& data, VectorView q, VectorView v,
                                   VectorView a, Index link);

/// J (6 x nv, rows [angular; linear]) with link_velocity = J v.
const Matrix6X& jacobian(const Model& model, Data& data, VectorView q, Index link,
                         Frame frame = Frame::kLocalWorldAligned);

/// The time derivative of J while q moves with v: d/dt link_velocity = J a + dJ/dt v.
const Matrix6X& jacobian_rate(const Model& model, Data& data, VectorView q, VectorView v,
                              Index link, Frame frame = Frame::kLocalWorldAligned);

}  // namespace spatial_dynamics
