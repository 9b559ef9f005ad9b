// Inverse dynamics of a compiled robot: the same quantities as in textbook/.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f_external, armature included. O(n).
/// `external` is null or has one wrench per body, the base's first, that acts ON it, in the body's
/// frame at its origin, as at ExternalForces::on_body(0). Real-time safe.
const VectorXd& inverse_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn a, const Force* external = nullptr) noexcept;

/// The same without rotors and friction. Real-time safe.
const VectorXd& rigid_body_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                                  VectorIn v, VectorIn a, const Force* external = nullptr) noexcept;

/// C(q, v) v + g(q) - J' f_external, without friction. Real-time safe.
const VectorXd& bias_torque(const CompactModel& model, Workspace& workspace, VectorIn q, VectorIn v,
                            const Force* external = nullptr) noexcept;

/// g(q). Real-time safe.
const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace,
                               VectorIn q) noexcept;
/// g(q) - J' f_external; `external` is not null. Real-time safe.
const VectorXd& gravity_torque(const CompactModel& model, Workspace& workspace, VectorIn q,
                               const Force* external) noexcept;

}  // namespace spatial_dynamics::kernels
