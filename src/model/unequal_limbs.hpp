// Finds left and right links and joints that differ.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// Appends a finding for each pair of links, or of joints that move them, whose names differ by
/// left and right and whose masses, inertias, centres of mass or limits differ. Linear in links.
void find_unequal_limbs(const Model& model, std::vector<Finding>& findings);

/// The name of the right counterpart of a link that a name marks as left: "left_arm", "l_arm",
/// "arm_L", "LeftArm", "LArm", "FL_foot", "LF_FOOT" and so on. Replaces the first mark, or all of
/// them. Empty if the name has none.
std::string right_of_left(const std::string& name, bool all);

}  // namespace spatial_dynamics
