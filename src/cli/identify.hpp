// `spatial_dynamics identify`: fit payload and friction to a robot's log.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

/// Writes the exit code when the subcommand has run.
void add_identify(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
