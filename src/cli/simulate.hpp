// `spatial_dynamics simulate`: a robot in motion, here and now, or as a node on DDS.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace spatial_dynamics::cli {

/// What `simulate --dds` takes from the command line; 0 and empty where it was not given.
struct DdsSimulation {
  std::string urdf;
  double rate_hz = 0.0;
  double seconds = 0.0;
};

/// `on_dds` runs the node and returns the exit code; none where the program was built without DDS.
void add_simulate(CLI::App& app, int& exit_code,
                  std::function<int(const DdsSimulation&)> on_dds = nullptr);

}  // namespace spatial_dynamics::cli
