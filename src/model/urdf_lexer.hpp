// What must be known of a document before a recursive parser may touch it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spatial_dynamics {

inline constexpr std::size_t kLargestDocument = std::size_t{16} * 1024 * 1024;  // bytes
inline constexpr std::size_t kDeepestElement = 256;
inline constexpr std::size_t kMostAttributes = 256;  // of one element

/// Checks the structure of an XML document without recursion, in time linear in its size: size, depth, characters, matching
/// tags, one root, no document type declaration, nothing for xacro to do. Returns the document without the elements that are
/// nested so deep that no URDF has a meaning for them, and that tinyxml2 would not parse. Throws ModelError.
std::string check_xml_structure(std::string_view xml);

}  // namespace spatial_dynamics
