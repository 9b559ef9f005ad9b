// What `replay` and `identify` take alike: a robot, a log and a filter.
#pragma once

#include <string>

#include "model_options.hpp"
#include "replay_samples.hpp"

namespace spatial_dynamics::cli {

struct ReplayOptions {
  ModelOptions model;
  std::string log;
  double window_s = 0.0;  ///< 0: chosen
};

void add_replay_options(CLI::App& command, ReplayOptions& options);

/// A robot with its log. Throws ModelError or LogError.
struct ReplayInput {
  Model model;
  Log log;
  Samples samples;  ///< of the log
};
ReplayInput load_replay(const ReplayOptions& options);

/// "1234 samples in 12.3 s; filter: none", one or more lines.
std::string describe(const ReplayInput& input);

/// What the help says about logs.
extern const char* const kLogHelp;

}  // namespace spatial_dynamics::cli
