// The process environment as a value, so that tests can give their own.
#pragma once

#include <functional>
#include <string>

namespace spatial_dynamics::dds {

/// The value of a variable; empty if it is not set, for ROS 2 makes no difference between the two.
using Environment = std::function<std::string(const std::string& name)>;

/// That of this process. Not to be called while another thread changes the environment.
Environment process_environment();

}  // namespace spatial_dynamics::dds
