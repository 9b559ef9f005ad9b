// Where a hand, and with it a payload or a push, most likely is.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// The link that most joints move, one after the other; among equals the last (tool0 of a UR5, whose last link, base, is fixed to
/// the world). The last link where nothing moves. Allocates.
[[nodiscard]] Index last_moving_link(const Model& model);

}  // namespace spatial_dynamics
