// Where a node's robot comes from, and what to say of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/urdf_file.hpp"
#include "runtime/config.hpp"
#include "runtime/dynamics_core.hpp"

namespace spatial_dynamics {

/// The URDF that the parameters give, as text or as a file; empty if it is to come on the topic
/// robot_description. Allocates; throws ModelError. `give_up` as in read_urdf_file().
std::string configured_urdf(const RobotConfig& config, const GiveUp& give_up = {});

/// Calls `set_robot` with that URDF, if there is one; a ModelError that it throws then names the
/// file. False if the robot is to come on the topic.
bool set_configured_robot(const RobotConfig& config,
                          const std::function<void(std::string_view)>& set_robot,
                          const GiveUp& give_up = {});

/// For the log: one line for the robot, one for each configured payload and one for each warning
/// about its description. Allocates.
std::vector<std::pair<LogLevel, std::string>> introduce(const Robot& robot);

}  // namespace spatial_dynamics
