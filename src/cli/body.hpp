// `spatial_dynamics body`: one and two bodies as small simulations.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

void add_body(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
