// Options that `replay` and `identify` share: a robot, a log and a filter.
#pragma once

#include <string>

#include "cli/common/options.hpp"
#include "spatial_dynamics/identification/log_samples.hpp"

namespace spatial_dynamics::cli {

struct LogOptions {
  ModelOptions model;
  std::string log;
  double window_s = 0.0;  ///< 0: make_samples() chooses it
};

void add_log_options(CLI::App& command, LogOptions& options);

/// A robot with its log. Throws ModelError or LogError.
struct LogInput {
  Model model;
  RobotLog log;
  LogSamples samples;  ///< of the log
};
LogInput load_log(const LogOptions& options);

/// "arm: 1234 samples in 12.3 s; filter: none", one line.
std::string describe(const LogInput& input);

/// The part of --help about logs.
extern const char* const kLogHelp;

}  // namespace spatial_dynamics::cli
