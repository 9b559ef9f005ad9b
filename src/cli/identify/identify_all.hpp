// `identify --all`: all parameters of a robot.
#pragma once

#include <string>

#include "cli/common/log_options.hpp"
#include "spatial_dynamics/identification/identify_robot.hpp"

namespace spatial_dynamics::cli {

struct IdentifyAllOptions {
  bool all = false;
  IdentificationOptions identification;
  std::string output, plot;
  bool list = false;
};

/// Names of the options that are only for --all.
inline constexpr const char* kOptionsOfAll[] = {"--output",     "--plot",          "--list",
                                                "--held-out",   "--inertia-error", "--false-alarms",
                                                "--log-payload"};

void add_identify_all_options(CLI::App& command, IdentifyAllOptions& options);

/// Identifies the robot, prints the result and writes the files. `params` is the parameter file for
/// a node; may be empty. Returns the exit code; throws ModelError and LogError.
int identify_all(const LogOptions& input, const IdentifyAllOptions& options,
                 const std::string& params);

/// The part of --help about --all.
extern const char* const kIdentifyAllHelp;

}  // namespace spatial_dynamics::cli
