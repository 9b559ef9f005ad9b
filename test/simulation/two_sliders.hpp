// Two sliders on one another.
#pragma once

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::test {

/// Two sliders on one rail, the second on top of the first, with friction and limits.
inline Model two_sliders(double friction, double lower, double upper) {
  ModelBuilder builder("sliders");
  builder.add_link("rail");
  std::string parent = "rail";
  for (const char* const name : {"first", "second"}) {
    builder.add_link(name, {1.0, Vector3::Zero(), 0.01 * Matrix3::Identity()});
    JointDescription joint;
    joint.name = std::string(name) + "_joint";
    joint.type = JointType::kPrismatic;
    joint.parent = parent;
    joint.child = name;
    joint.axis = Vector3::UnitX();
    joint.friction = friction;
    joint.limits.lower = lower;
    joint.limits.upper = upper;
    builder.add_joint(joint);
    parent = name;
  }
  return builder.build();
}

}  // namespace spatial_dynamics::test
