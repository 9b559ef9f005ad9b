// What the loader found out about a robot, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

enum class Severity { kInfo, kWarning };
const char* to_string(Severity severity) noexcept;  ///< "info", "warning"

/// One observation. A model that is refused has a ModelError instead.
struct Finding {
  Severity severity = Severity::kInfo;
  std::string element;  ///< "link 'forearm'", "joint 'elbow'"
  std::string what;     ///< one sentence
  std::string remedy;   ///< what to do; may be "nothing to do"
};

/// A link that was merged into another because no moving joint stands between them.
struct LumpedLink {
  std::string link;
  std::string into;  ///< the link whose frame the common body has
};

/// A joint that follows another: position = ratio * leader + offset, chains resolved.
struct MimicEntry {
  std::string joint;
  std::string leader;
  double ratio = 1.0;
  double offset = 0.0;
};

struct LockedJoint {
  std::string joint;
  double value = 0.0;
};

/// A joint that is a coordinate, in coordinate order.
struct CoordinateEntry {
  std::string name;
  JointType type = JointType::kRevolute;
  std::string parent;  ///< parent link, "world" for the floating base
  std::string child;   ///< child link
  JointLimits limits;
  double damping = 0.0;
  double friction = 0.0;
  double armature = 0.0;
};

struct ModelReport {
  std::string name;
  Index dof = 0;  ///< numbers in v
  double total_mass = 0.0;
  std::vector<CoordinateEntry> joints;
  std::vector<LumpedLink> lumped;
  std::vector<MimicEntry> mimic;
  std::vector<LockedJoint> locked;
  std::vector<Finding> findings;
};

}  // namespace spatial_dynamics
