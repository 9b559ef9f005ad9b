// The link where a gripper, payload or contact force most likely is.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// The link with the most joints between it and the base; among equals the last (tool0 of a UR5,
/// whose last link, base, is fixed to the world). The last link if no joint moves. Allocates.
[[nodiscard]] Index last_moving_link(const Model& model);

}  // namespace spatial_dynamics
