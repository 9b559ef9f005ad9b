// M(q) of a compiled robot, and its inverse.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// The joint-space inertia matrix, both halves, armature included, reduced to G' M G with mimic
/// joints. O(n depth). Real-time safe.
const MatrixXd& mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept;

/// M(q)^-1 into `inverse`, nv x nv, both halves. False, and zero, where M is singular. O(n^2
/// depth). Real-time safe.
[[nodiscard]] bool inverse_mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q,
                                       Eigen::Ref<MatrixXd> inverse) noexcept;

}  // namespace spatial_dynamics::kernels
