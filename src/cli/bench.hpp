// `spatial_dynamics bench`: how fast each implementation is, side by side.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

void add_bench(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
