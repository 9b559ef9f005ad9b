// Inverse dynamics: the torques for a given acceleration, and the terms that they consist of.
#pragma once

#include <vector>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

// All results are vectors of nv numbers (N m, or N for prismatic joints) unless stated otherwise.
// Real-time safe; throws std::invalid_argument for a wrong size.

/// tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f: the sum of the three terms below. O(n).
const VectorXd& inverse_dynamics(const Model& model, Data& data, VectorView q, VectorView v,
                                 VectorView a, const ExternalForces& external = kNoExternalForces);

/// The torque of the rigid bodies alone: M a + C v + g - J' f, with external wrenches f, without
/// rotors and friction. O(n).
const VectorXd& rigid_body_torque(const Model& model, Data& data, VectorView q, VectorView v,
                                  VectorView a, const ExternalForces& external = kNoExternalForces);

/// damping * v + friction * tanh(v / friction_speed) of every joint. The torque of a mimic joint is
/// added to the joint that it follows. O(n).
const VectorXd& friction_torque(const Model& model, Data& data, VectorView v);
/// The same with the Coulomb term at another velocity. A controller that passes the reference
/// velocity there compensates Coulomb friction before the joint moves, and noise at standstill does
/// not change the sign of the torque.
const VectorXd& friction_torque(const Model& model, Data& data, VectorView v,
                                VectorView coulomb_velocity);

/// armature * a of every joint: the torque that accelerates the rotors of the drives. Mimic joints
/// as above. O(n).
const VectorXd& rotor_torque(const Model& model, Data& data, VectorView a);

/// C(q, v) v + g(q) - J' f: the torque of the rigid bodies at zero acceleration, without friction.
/// O(n).
const VectorXd& bias_torque(const Model& model, Data& data, VectorView q, VectorView v,
                            const ExternalForces& external = kNoExternalForces);

/// g(q) - J' f: the torque that holds the robot at rest. O(n).
const VectorXd& gravity_torque(const Model& model, Data& data, VectorView q,
                               const ExternalForces& external = kNoExternalForces);

/// The wrench that the parent exerts on each body through its joint, including the torque of the
/// drive, in the body's frame at its origin. Indexed by body; [0] is the wrench that holds the
/// base. O(n).
const std::vector<Force>& joint_wrenches(const Model& model, Data& data, VectorView q, VectorView v,
                                         VectorView a,
                                         const ExternalForces& external = kNoExternalForces);

}  // namespace spatial_dynamics
