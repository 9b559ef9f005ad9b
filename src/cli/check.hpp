// `spatial_dynamics check`: what is in a URDF, and what is wrong with it.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

/// Adds the subcommand, which leaves the process's exit code in `exit_code` and throws ModelError if the robot is refused.
void add_check(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
