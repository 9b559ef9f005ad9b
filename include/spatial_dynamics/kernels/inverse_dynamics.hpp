// Which torques make the robot accelerate so? The same quantities as in algorithms/, from a compiled robot.
#pragma once

#include "spatial_dynamics/kernels/workspace.hpp"

namespace spatial_dynamics {

/// tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f_external, armature included. O(n).
/// `external` is null or has one wrench per body, the base's first, that acts ON it, in the body's frame at its origin: what
/// ExternalForces::on_body(0) points to. Real-time safe.
const VectorXd& inverse_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn a, const Force* external = nullptr) noexcept;

/// C(q, v) v + g(q), without friction and external forces. Real-time safe.
const VectorXd& bias_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                            VectorIn v) noexcept;

/// g(q). Real-time safe.
const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace,
                               VectorIn q) noexcept;

}  // namespace spatial_dynamics
