// The robot on the command line: its file and how to load it. The same options for every subcommand.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::cli {

struct ModelOptions {
  std::string file;  ///< "-" is standard input
  LoadOptions load;
};

/// `options` must outlive the parsing.
void add_model_options(CLI::App& command, ModelOptions& options);

/// Allocates; throws ModelError with a sentence that starts with the file's name.
Model load_model(const ModelOptions& options, ModelReport& report);

}  // namespace spatial_dynamics::cli
