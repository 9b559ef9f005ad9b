// Sorts links and joints into one tree.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// The links of a description as a tree. Indices are those of the description.
struct LinkTree {
  std::vector<std::size_t> order;         ///< links depth first, the root first
  std::vector<std::size_t> parent_joint;  ///< per link: its parent joint; kNone for the root
  std::vector<std::size_t> parent_link;   ///< per link: its parent link; kNone for the root
};

/// Depth first from the root, children in the order of their joints. Time and memory are linear,
/// and there is no recursion. Rejects duplicate names, unknown links, loops, links with two
/// parents, and anything but one root.
LinkTree sort_tree(const std::vector<LinkDescription>& links,
                   const std::vector<JointDescription>& joints);

}  // namespace spatial_dynamics
