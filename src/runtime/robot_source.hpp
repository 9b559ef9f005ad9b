// Finds the robot description of a node's parameters, and describes the robot for the log.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/urdf_file.hpp"
#include "runtime/config.hpp"
#include "runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// The URDF of the parameters, given as text or as a file; empty if it is expected on the topic
/// robot_description. Allocates; throws ModelError. `give_up` as in read_urdf_file().
std::string configured_urdf(const RobotConfig& config, const GiveUp& give_up = {});

/// Calls `set_robot` with that URDF, if there is one; a ModelError that it throws then names the
/// file. False if the robot is expected on the topic.
bool set_configured_robot(const RobotConfig& config,
                          const std::function<void(std::string_view)>& set_robot,
                          const GiveUp& give_up = {});

/// Log lines: one for the robot, one for each configured payload and one for each warning about its
/// description. Allocates.
std::vector<std::pair<LogLevel, std::string>> introduce(const Robot& robot);

}  // namespace spatial_dynamics
