// The tree of a robot as a picture.
#pragma once

#include <string>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::cli {

/// SVG text: one row per body, depth first, with a box for its links and a line to its parent. The
/// line has the colour of the joint's type; the joint's name, type, range and effort limit are
/// beside the box. A box is red if a warning of the report names one of its links or its joint.
/// Allocates.
std::string tree_svg(const Model& model, const ModelReport& report);

}  // namespace spatial_dynamics::cli
