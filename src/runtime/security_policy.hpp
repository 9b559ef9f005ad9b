// The permissions of each node for the security of ROS 2: topics and services.
#pragma once

#include <ostream>

namespace spatial_dynamics {

/// Writes config/sros2_policy.xml: for `ros2 security create_permission`, every topic of both
/// tables and every service of the nodes.
void write_security_policy(std::ostream& out);

}  // namespace spatial_dynamics
