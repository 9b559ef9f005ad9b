// The strict reading of a URDF document that comes before urdfdom's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

/// A document that urdfdom may be trusted with.
struct UrdfScan {
  struct Joint {
    std::string name;
    std::string parent;  ///< link
    std::string child;   ///< link
  };
  std::vector<std::string> links;         ///< names, in the order of the document
  std::vector<std::string> shaped_links;  ///< those with a <visual> or <collision>
  std::vector<Joint> joints;  ///< in the order of the document, which urdfdom's sorted maps lose
  /// The same robot reduced to what dynamics needs (names, inertials, joints), every number in the form that all parsers
  /// read alike. Limits without bound are ±1e15 here.
  std::string document;
};

/// Refuses what is not a URDF, lacks a required element or attribute, repeats one, or holds a number that is none. The
/// values of numbers and the shape of the tree are judged elsewhere. Allocates; throws ModelError.
UrdfScan scan_urdf(std::string_view xml);

}  // namespace spatial_dynamics
