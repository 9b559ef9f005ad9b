// `spatial_dynamics replay`: compare a robot's log with what its model predicts.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

/// Writes the exit code when the subcommand has run.
void add_replay(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
