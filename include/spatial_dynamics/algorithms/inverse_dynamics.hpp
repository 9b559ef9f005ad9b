// Which torques make the robot accelerate so? Recursive Newton-Euler, in one sweep out and one back.
#pragma once

#include "spatial_dynamics/algorithms/data.hpp"

namespace spatial_dynamics {

/// tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f_external, armature included. O(n). [L4 RNEA]
/// Afterwards data.f[i] is the wrench that the parent exerts on body i through joint i (its reaction and drive), in body i's
/// frame, and data.a is shifted by -gravity. Real-time safe.
const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                 const ExternalForces& external = kNoExternalForces) noexcept;

/// C(q, v) v + g(q): the torque of rigid bodies that do not accelerate; no friction, no external forces. Real-time safe.
const VectorXd& bias_torque(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

/// g(q): the torque that holds the robot still. Real-time safe.
const VectorXd& gravity_torque(const Model& model, Data& data, VectorIn q) noexcept;

/// damping * v + friction * tanh(v / friction_speed), per joint, followers' share at their leader. Real-time safe.
const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v) noexcept;
/// The same with Coulomb's part at another velocity: a controller that takes the reference's there compensates stiction before
/// the joint moves, and noise around standstill does not make it chatter. Real-time safe.
const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v,
                                VectorIn coulomb_velocity) noexcept;

}  // namespace spatial_dynamics
