// Where a node's robot comes from, and what to say of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/runtime/config.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// The URDF that the parameters give, as text or as a file; empty if it is to come on the topic robot_description. Allocates;
/// throws ModelError.
std::string configured_urdf(const RobotConfig& config);

/// Calls `set_robot` with that URDF, if there is one; a ModelError that it throws then names the file. False if the robot is to come
/// on the topic.
bool set_configured_robot(const RobotConfig& config,
                          const std::function<void(std::string_view)>& set_robot);

/// For the log: one line for the robot, one for each warning about its description. Allocates.
std::vector<std::pair<LogLevel, std::string>> introduce(const Robot& robot);

}  // namespace spatial_dynamics
