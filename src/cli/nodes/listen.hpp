// `spatial_dynamics listen`: what is said on a topic of joint states, as JSON lines.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "dds/messages.hpp"
#include "dds/ros_args.hpp"

namespace spatial_dynamics::cli {

/// {"stamp":1.5,"effort":{"elbow":12.0}}: whatever the message has, by joint name; null where a number is not finite.
[[nodiscard]] std::string json_line(const dds::JointState& message);

/// `ros` is what stood behind --ros-args; it must outlive the parsing.
void add_listen(CLI::App& app, const dds::RosArguments& ros, int& exit_code);

}  // namespace spatial_dynamics::cli
