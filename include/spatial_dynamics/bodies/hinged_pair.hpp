// Two hinged bodies in motion: the problem of [F6D] with velocities, a hinge torque, and time.
#pragma once

#include "spatial_dynamics/bodies/state_space.hpp"
#include "spatial_dynamics/bodies/two_bodies.hpp"

namespace spatial_dynamics {

/// The motion of the pair, in a frame fixed to B1.
struct HingedPairMotion {
  Motion v1;     ///< velocity of B1 at the frame's origin
  double angle;  ///< of the hinge, in units of s; the pair is described at 0
  double rate;   ///< of that angle
};

struct HingedPairAcceleration {
  Motion a1;          ///< spatial acceleration of B1: the time derivative of v1
  double alpha;       ///< of the hinge
  Force joint_force;  ///< from B1 on B2; its component along the hinge is the torque
};

/// B2's spatial inertia in B1's frame with the hinge at `angle`. Real-time safe.
Inertia second_body_at(const TwoBodies& pair, double angle) noexcept;

/// The accelerations under the force f on B1 and the hinge's torque. At rest without torque equal
/// to push_first(). [F6D eq. 1 to 7, with v x* I v on both bodies and v1 x s of the hinge's axis]
/// Real-time safe.
HingedPairAcceleration accelerate(const TwoBodies& pair, const HingedPairMotion& motion,
                                  const Force& f, double torque) noexcept;

/// The pair as a system, floating in space without gravity. Its frame is fixed in B1.
///  x (15): quaternion xyzw and position of the frame, angle, velocity of B1 in it
///          [angular; linear], rate;
///  u (7):  wrench on B1 in its frame [moment; force], torque of the hinge;
///  y (13): positions of C1 and C2, momentum of both about the inertial origin [angular; linear],
///          kinetic energy.
/// Allocates.
StateSpace hinged_pair_system(const TwoBodies& pair);

}  // namespace spatial_dynamics
