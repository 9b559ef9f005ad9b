// Which joints are coordinates, which follow others, and which are held.
#pragma once

#include <cstddef>
#include <vector>

#include "link_tree.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// How one joint of the description moves.
struct JointRole {
  enum class Kind {
    kCoordinate,  ///< has a coordinate
    kFollower,    ///< at ratio * leader + offset
    kHeld,        ///< fixed, locked, or a follower of such a joint
  };
  Kind kind = Kind::kCoordinate;
  std::size_t leader = kNone;  ///< of a follower: a joint that is a coordinate
  double ratio = 1.0;
  double offset = 0.0;
  double position = 0.0;  ///< of a held joint
};

/// Resolves chains of mimic joints and applies options.locked. Linear in joints.
///
/// A follower of a locked joint is held at the position that follows; a fixed joint counts as held
/// at 0; a multiplier of 0 holds a joint at its offset. Rejects a mimic of itself, of a missing
/// joint, in a cycle, and of or by a joint with several degrees of freedom; and locks of a missing
/// joint, a fixed joint, a follower, or a joint with several degrees of freedom.
std::vector<JointRole> resolve_roles(const std::vector<JointDescription>& joints,
                                     const BuildOptions& options, std::vector<Finding>& findings);

}  // namespace spatial_dynamics
