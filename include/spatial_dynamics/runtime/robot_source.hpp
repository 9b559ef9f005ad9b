// Where a node's robot comes from, and what to say of it.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/runtime/config.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// The URDF that the parameters give, as text or as a file; empty if it is to come on the topic robot_description. Allocates;
/// throws ModelError.
std::string configured_urdf(const RobotConfig& config);

/// For the log: one line for the robot, one for each warning about its description. Allocates.
std::vector<std::pair<LogLevel, std::string>> introduce(const Robot& robot);

}  // namespace spatial_dynamics
