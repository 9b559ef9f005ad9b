// How does the robot accelerate under these torques? From a compiled robot.
#pragma once

#include "spatial_dynamics/kernels/workspace.hpp"

namespace spatial_dynamics {

/// a with inverse_dynamics(q, v, a, external) = tau: by the factorised mass matrix, or by articulated bodies where the tree is so
/// deep that these are quicker; with mimic joints by the reduced matrix. `external` as there.
/// Where no unique acceleration exists workspace.singular is set and the answer is zero: never NaN from finite input.
/// Real-time safe.
const VectorXd& forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau,
                                 const Force* external = nullptr) noexcept;

}  // namespace spatial_dynamics
