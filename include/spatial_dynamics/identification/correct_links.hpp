// From an identification to changes of a URDF and of a node's parameters.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/identify_robot.hpp"
#include "spatial_dynamics/model/edit_urdf.hpp"

namespace spatial_dynamics {

struct LinkCorrections {
  UrdfChanges changes;
  std::vector<std::string> notes;  ///< sentences: what was distributed otherwise, and why
};

/// The changes that make the model that of the identification. A body of several links that are
/// fixed to each other has one inertia: its main link takes the change and the others keep theirs.
/// If that leaves the main link an inertia that no body has, the other links are scaled by the
/// largest common factor below 1 for which it is possible, and a note reports it. Allocates.
LinkCorrections correct_links(const Model& model, const Identification& identification);

}  // namespace spatial_dynamics
