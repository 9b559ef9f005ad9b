// `spatial_dynamics compute`: states in, dynamics out, a JSON object per line.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

/// Adds the subcommand, which leaves the process's exit code in `exit_code` and throws ModelError if the robot is refused.
void add_compute(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
