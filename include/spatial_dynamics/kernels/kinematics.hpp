// Where a link is and how it moves, from a compiled robot.
#pragma once

#include "spatial_dynamics/kernels/workspace.hpp"

namespace spatial_dynamics {

/// J with (velocity of the link) = J v, rows [angular; linear], along the world's axes at the link's origin; 6 x nv.
/// `link` is the model's. O(depth) but for the sines. Real-time safe.
void link_jacobian(const CompactModel& model, Workspace& workspace, VectorIn q, const Link& link,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept;

}  // namespace spatial_dynamics
