// `spatial_dynamics generate`: C++ for one robot.
#pragma once

#include <CLI/CLI.hpp>

namespace spatial_dynamics::cli {

void add_generate(CLI::App& app, int& exit_code);

}  // namespace spatial_dynamics::cli
