// One rigid body and four choices of generalised velocity, each with its equation of motion. [SOA
// 2.3 to 2.5]
#pragma once

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

/// The meaning of the six numbers of a generalised velocity. C is the body's centre of mass, z a
/// point fixed in it.
///
/// | choice             | velocity of | along         | force b  | momentum | work | without v |
/// |--------------------|-------------|---------------|----------|----------|------|-----------|
/// | kCenter            | C           | inertial axes | w x* M w | yes      | yes  | yes       |
/// | kPoint             | z           | inertial axes | w x* M w |          |      | yes       |
/// | kBody              | z           | body's axes   | V x* M V |          | yes  |           |
/// | kInertialReference | O           | inertial axes | V x* M V | yes      | yes  |           |
///
/// where O is the point of the (extended) body that coincides with the inertial origin, b is the
/// gyroscopic force, and w is the velocity without its linear part v. "momentum": M V is constant
/// without forces. "work": b does no work. "without v": b does not depend on v.
enum class VelocityChoice { kCenter, kPoint, kBody, kInertialReference };

/// The pose of a body: its frame, with the origin at z, in the inertial frame.
struct BodyPose {
  Matrix3 rotation;  ///< the body's axes as columns
  Vector3 position;  ///< of z
};

// All functions here are real-time safe. `inertia` is the body's inertia in its frame, at z, with a
// positive mass.

/// The transform from the inertial frame to the frame in which this choice expresses velocities and
/// forces.
Transform frame_of(VelocityChoice choice, const BodyPose& pose, const Inertia& inertia) noexcept;

/// The spatial inertia M in that frame.
Inertia inertia_in(VelocityChoice choice, const BodyPose& pose, const Inertia& inertia) noexcept;

/// Converts a velocity of the body from one choice to another.
Motion change_choice(VelocityChoice from, VelocityChoice to, const BodyPose& pose,
                     const Inertia& inertia, const Motion& velocity) noexcept;

/// b in f = M beta' + b, from M and V in the frame of the choice. [SOA 2.23, 2.26, 2.28]
Force gyroscopic_force(VelocityChoice choice, const Inertia& M, const Motion& V) noexcept;

/// beta' = M^-1 (f - b), the rates of the six numbers, with f in the frame of the choice.
Motion generalized_acceleration(VelocityChoice choice, const Inertia& M, const Motion& V,
                                const Force& f) noexcept;

/// The force that gives the body this generalised acceleration: f = M beta' + b.
Force generalized_force(VelocityChoice choice, const Inertia& M, const Motion& V,
                        const Motion& acceleration) noexcept;

/// d/dt of V(y) from that of V(x), both along inertial axes, where y is at l from x on the same
/// body, which rotates with w: [angular; linear + angular x l + w x (w x l)]. [SOA 2.25]
Motion acceleration_at(const Motion& at_x, const Vector3& w, const Vector3& l) noexcept;

}  // namespace spatial_dynamics
