// Checks a URDF document and reduces it to what urdfdom is to read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

/// A document that was checked.
struct UrdfScan {
  struct Link {
    std::string name;
    bool has_shape = false;  ///< a <visual> or <collision>
  };
  struct Joint {
    std::string name;
    std::string parent;  ///< link
    std::string child;   ///< link
    /// Acceleration, deceleration and jerk, which urdfdom 3 does not read, and the soft limits.
    JointLimits later_limits;
  };
  std::vector<Link> links;    ///< in the order of the document, which urdfdom's sorted maps lose
  std::vector<Joint> joints;  ///< in the order of the document
  /// The same robot reduced to what dynamics needs (names, inertials, joints), with each number in
  /// the form that all parsers read alike. It is of version 1.0, whatever the document's version
  /// is. Unlimited limits are ±1e15 here.
  std::string document;
};

/// Rejects a document that is not a URDF, lacks a required element or attribute, repeats one, or
/// has invalid text in place of a number. ModelBuilder checks the values of numbers and the tree.
/// Allocates; throws ModelError.
UrdfScan scan_urdf(std::string_view xml);

}  // namespace spatial_dynamics
