// Forward dynamics of a compiled robot.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// a with inverse_dynamics(q, v, a, external) = tau: by the factorised mass matrix, or by
/// articulated bodies where the tree is so deep that they are faster; with mimic joints by the
/// reduced matrix. `external` as in inverse_dynamics(). Where no unique acceleration exists
/// workspace.singular is set and the result is zero; finite input never gives NaN. Real-time safe.
const VectorXd& forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                 VectorIn v, VectorIn tau,
                                 const Force* external = nullptr) noexcept;
/// The same into `a` (nv), which must not alias an argument. Returns false and sets zeros where no
/// unique acceleration exists. With `keep_factor` always by the factorised mass matrix, whose
/// factor stays in the workspace. Real-time safe.
[[nodiscard]] bool forward_dynamics(const CompactModel& model, Workspace& workspace, VectorIn q,
                                    VectorIn v, VectorIn tau, const Force* external, VectorXd& a,
                                    bool keep_factor) noexcept;

}  // namespace spatial_dynamics::kernels
