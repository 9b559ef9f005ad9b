// Options that `replay` and `identify` share: a robot, a log and a filter.
#pragma once

#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "spatial_dynamics/identification/log_samples.hpp"

namespace spatial_dynamics::cli {

struct LogOptions {
  ModelOptions model;
  std::vector<std::string> logs;  ///< "-" is standard input
  LogReadOptions reading;
  bool currents = false, without_gravity = false;
  std::vector<std::string> payloads;  ///< of single logs: "2:tool0=1.5"
  double window_s = 0.0;              ///< 0: make_samples() chooses it
};

void add_log_options(CLI::App& command, LogOptions& options);
/// Adds --log-payload, for subcommands that use RobotLog::payloads.
void add_log_payload_option(CLI::App& command, LogOptions& options);

/// A robot with its log. If the efforts lack gravity, the model has none. Throws ModelError or
/// LogError. Prints notes on standard error, such as that a recording is cut off.
struct LogInput {
  Model model;
  RobotLog log;
  LogSamples samples;  ///< of the log
};
LogInput load_log(const LogOptions& options);

/// Throws LogError if the log has motor currents, which can't be compared with efforts.
void require_efforts(const LogInput& input);

/// The number of samples and the filter, where each log's columns were found, and what was left
/// out; one line each.
std::string describe(const LogInput& input);
/// The same without the samples and the filter.
std::string describe_sources(const LogInput& input);

/// The part of --help about logs.
extern const char* const kLogHelp;

}  // namespace spatial_dynamics::cli
