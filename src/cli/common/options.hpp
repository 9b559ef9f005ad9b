// Options that several subcommands share: the robot's file and how to load it, and checks of
// values.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::cli {

struct ModelOptions {
  std::string file;  ///< "-" is standard input
  LoadOptions load;
  bool gravity_given = false;
};

/// The robot's file as the argument `robot`, and add_load_options(). `options` must outlive the
/// parsing.
void add_model_options(CLI::App& command, ModelOptions& options);

/// How to load the robot: --payload, --armature, --gravity and so on. `options` must outlive the
/// parsing.
void add_load_options(CLI::App& command, ModelOptions& options);

/// Joins the numbers after --gravity, --position and --velocity by commas: `X Y Z` becomes "X,Y,Z".
/// CLI11 would otherwise take the next argument, too, or mistake -.5 for an option.
std::vector<std::string> join_numbers(const std::vector<std::string>& arguments);

/// Parses "1,2,3". Throws CLI::ValidationError that names `option`.
std::vector<double> parse_numbers(const std::string& option, const std::string& text);

/// A name and its numbers, as in "tool0=1.5,0,0,0.05".
struct Assignment {
  std::string name;
  std::vector<double> values;
};

/// Parses "NAME=1,2,3"; a name may contain '='. `form` describes the syntax in errors. Throws
/// CLI::ValidationError that names `option`.
Assignment parse_assignment(const std::string& option, const std::string& form,
                            const std::string& text);

/// Parses "LINK=MASS", "LINK=MASS,X,Y,Z", or this with an inertia about the centre of mass as six
/// more numbers, ixx, iyy, izz, ixy, ixz, iyz. Throws CLI::ValidationError that names `option`.
Payload parse_payload(const std::string& option, const std::string& text);

/// Allocates; throws ModelError whose message starts with the file's name.
Model load_model(const ModelOptions& options, ModelReport& report);

/// Prints a line on standard error if the URDF probably has wrong units or moving links without
/// mass: results would be wrong.
void note_findings(const ModelOptions& options, const ModelReport& report);

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
