// Finds numbers that are probably not in SI units.
#pragma once

#include <vector>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// Appends findings on lengths in millimetres, masses in grams, and inertias in units other than
/// kg m^2. At most one finding on lengths and one on masses. Linear in links.
void find_wrong_units(const Model& model, std::vector<Finding>& findings);

}  // namespace spatial_dynamics
