// Two hinged bodies on the move: the problem of [F6D] with velocities, a torque in the hinge, and time.
#pragma once

#include "spatial_dynamics/bodies/state_space.hpp"
#include "spatial_dynamics/bodies/two_bodies.hpp"

namespace spatial_dynamics {

/// How the pair moves, seen from a frame that is fixed in B1.
struct HingedPairMotion {
  Motion v1;     ///< velocity of B1 at the frame's origin
  double angle;  ///< of the hinge, in units of s; the pair is described at 0
  double rate;   ///< of that angle
};

struct HingedPairAcceleration {
  Motion a1;          ///< spatial acceleration of B1: the rates of v1's numbers
  double alpha;       ///< of the hinge
  Force joint_force;  ///< from B1 on B2; its share along the hinge is the torque
};

/// B2's spatial inertia in B1's frame when the hinge stands at `angle`. Real-time safe.
Inertia second_body_at(const TwoBodies& pair, double angle) noexcept;

/// What the force f on B1 and the hinge's torque do. At rest without torque it is push_first(). [F6D eq. 1 to 7, with
/// v x* I v on both bodies and v1 x s of the hinge's axis] Real-time safe.
HingedPairAcceleration accelerate(const TwoBodies& pair, const HingedPairMotion& motion,
                                  const Force& f, double torque) noexcept;

/// The pair as a system, floating in space without gravity. Its frame is fixed in B1.
///  x (15): quaternion xyzw and position of the frame, angle, velocity of B1 in it [angular; linear], rate;
///  u (7):  wrench on B1 in its frame [couple; force], torque of the hinge;
///  y (13): positions of C1 and C2, momentum of both about the inertial origin [angular; linear], kinetic energy.
/// Allocates.
StateSpace hinged_pair_system(const TwoBodies& pair);

}  // namespace spatial_dynamics
