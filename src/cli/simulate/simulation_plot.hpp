// The panels of a simulation's plot.
#pragma once

#include <vector>

#include "cli/common/plot.hpp"
#include "simulation/simulation_run.hpp"

namespace spatial_dynamics::cli {

/// "rad", "m" or "rad or m": the unit of the joints' positions, a floating base excluded.
const char* position_unit(const Model& model) noexcept;

/// Positions (with the reference), efforts and energies of a simulation. Allocates.
std::vector<Panel> simulation_panels(const SimulationRun& run, ControllerKind controller);

}  // namespace spatial_dynamics::cli
