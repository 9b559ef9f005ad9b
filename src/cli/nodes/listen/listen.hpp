// One message of joint states as a JSON line.
#pragma once

#include <string>

#include "dds/messages.hpp"

namespace spatial_dynamics::cli {

/// {"stamp":1.5,"effort":{"elbow":12.0}}: the numbers that the message contains, by joint name;
/// null if a number is not finite.
[[nodiscard]] std::string json_line(const dds::JointState& message);

}  // namespace spatial_dynamics::cli
