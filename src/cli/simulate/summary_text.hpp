// The summary of a simulated motion in words.
#pragma once

#include <cstdio>
#include <string>

#include "simulation/simulation_run.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::cli {

/// Duration, energies and, with a controller, tracking errors and efforts.
void print_summary(const SimulationSummary& summary, ControllerKind controller, std::FILE* out);

/// Why the result of a run with steps of `dt` seconds is wrong; empty if it is not.
std::string simulation_failure(const SimulationSummary& summary, double dt);

/// The joints that a reference does not move, because their velocity limit is 0.
void print_joints_at_rest(const ModelReport& report, std::FILE* out);

}  // namespace spatial_dynamics::cli
