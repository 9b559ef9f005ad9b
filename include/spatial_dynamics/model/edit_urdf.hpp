// Changes numbers in the text of a URDF and keeps everything else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// New mass properties of a link.
struct LinkChange {
  std::string link;
  MassProperties mass_properties;  ///< in the link's frame and along its axes
};

/// New friction of a joint.
struct JointChange {
  std::string joint;
  double damping = 0.0;
  double friction = 0.0;
};

struct UrdfChanges {
  std::vector<LinkChange> links;
  std::vector<JointChange> joints;
};

/// The document with these changes. Comments, order, indentation and all other numbers stay. The
/// rpy of an `inertial` stays, too: its inertia is written along these axes. A missing `inertial`,
/// `origin` or `dynamics` is added. Numbers have eight digits. Allocates; throws ModelError for a
/// document that is not a URDF, or lacks a link or joint that is to change.
std::string edit_urdf(std::string_view xml, const UrdfChanges& changes);

}  // namespace spatial_dynamics
