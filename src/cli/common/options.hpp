// Options that several subcommands share: the robot's file and how to load it, and checks of
// values.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::cli {

struct ModelOptions {
  std::string file;  ///< "-" is standard input
  LoadOptions load;
};

/// `options` must outlive the parsing.
void add_model_options(CLI::App& command, ModelOptions& options);

/// Allocates; throws ModelError whose message starts with the file's name.
Model load_model(const ModelOptions& options, ModelReport& report);

/// For ->check(): a finite number above zero. (CLI11's own check prints the largest double with all
/// its 309 digits.)
CLI::Validator positive();

/// For ->transform(): one of these names.
template <class Enumeration>
CLI::Validator choice_of(const std::map<std::string, Enumeration>& values) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : ", ") + name;
  return {[values, names](std::string& text) -> std::string {
            const auto found = values.find(text);
            if (found == values.end()) return "must be one of " + names + ", not '" + text + "'";
            text = std::to_string(static_cast<int>(found->second));
            return "";
          },
          "", "choice"};
}

}  // namespace spatial_dynamics::cli
