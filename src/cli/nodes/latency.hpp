// `spatial_dynamics latency`: how fast states are answered on this machine.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

void add_latency(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
