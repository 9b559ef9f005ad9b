// The link where a gripper, payload or contact force most likely is.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// The link with the most joints between it and the base; the last one if several have the same
/// number. (For a UR5 this is tool0; its last link, base, is fixed to the world.) The last link if
/// no joint moves. Allocates.
[[nodiscard]] Index last_moving_link(const Model& model);

}  // namespace spatial_dynamics
