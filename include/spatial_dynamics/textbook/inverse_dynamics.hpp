// Inverse dynamics by recursive Newton-Euler: a forward pass and a backward pass.
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f_external, armature included. O(n). [L4
/// RNEA] Afterwards data.f[i] is the wrench that the parent exerts on body i through joint i
/// (reaction plus drive), in body i's frame, and data.a is shifted by -gravity. Real-time safe.
const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                 const ExternalForces& external = kNoExternalForces) noexcept;

/// C(q, v) v + g(q): the rigid-body torque at zero acceleration, without friction and external
/// forces. Real-time safe.
const VectorXd& bias_torque(const Model& model, Data& data, VectorIn q, VectorIn v) noexcept;

/// g(q): the torque that holds the robot at rest. Real-time safe.
const VectorXd& gravity_torque(const Model& model, Data& data, VectorIn q) noexcept;

/// damping * v + friction * tanh(v / friction_speed), per coordinate; the friction of a mimic joint
/// is added to that of its leader. Real-time safe.
const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v) noexcept;
/// The same with the Coulomb term at another velocity. A controller that passes the reference
/// velocity compensates stiction before the joint moves, and does not chatter with noise around
/// standstill. Real-time safe.
const VectorXd& friction_torque(const Model& model, Data& data, VectorIn v,
                                VectorIn coulomb_velocity) noexcept;

}  // namespace spatial_dynamics::textbook
