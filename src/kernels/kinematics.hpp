// The Jacobian of a link of a compiled robot.
#pragma once

#include "kernels/workspace.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::kernels {

/// J with (velocity of the link in `frame`) = J v, rows [angular; linear]; 6 x nv. `link` is the
/// model's. `frame` is not Frame::kWorld: kernels do not know where a floating base is. O(depth)
/// but for the sines. Real-time safe.
void link_jacobian(const CompactModel& model, Workspace& workspace, VectorIn q, const Link& link,
                   Frame frame, Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept;

}  // namespace spatial_dynamics::kernels
