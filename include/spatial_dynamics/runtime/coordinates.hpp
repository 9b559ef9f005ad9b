// The numbers of a robot that messages can name one by one.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// One number of q and v with the name that joint states, references and torques use for it: the joint's, or for a planar joint
/// `<joint>/x`, `<joint>/y`, `<joint>/theta` (velocities along the axes as they stand in the child, see Joint).
struct ScalarCoordinate {
  std::string name;
  Index joint = 0;
  Index q = 0;         ///< index into q
  Index v = 0;         ///< index into v
  bool wraps = false;  ///< a continuous joint: positions that differ by a whole turn are one
};

/// All coordinates but those of a floating base, in order. Throws ModelError where a joint other than the base floats: no
/// message could carry its state. Allocates.
std::vector<ScalarCoordinate> scalar_coordinates(const Model& model);

/// Their names, in order. Allocates.
std::vector<std::string> names_of(const std::vector<ScalarCoordinate>& coordinates);

/// True if the robot's first joint is a floating one that hangs on the world.
bool has_floating_base(const Model& model) noexcept;

}  // namespace spatial_dynamics
