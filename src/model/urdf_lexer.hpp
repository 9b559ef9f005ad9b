// What must be known of a document before a recursive parser may touch it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spatial_dynamics {

inline constexpr std::size_t kLargestDocument = std::size_t{16} * 1024 * 1024;  // bytes
inline constexpr std::size_t kDeepestElement = 256;

/// Checks the structure of an XML document without recursion, in time linear in its size: size, depth, characters, references,
/// attributes, matching tags, one root, no document type declaration, nothing for xacro to do. Returns the document's tags on
/// their lines, and nothing that parsers read differently: no comments, text, CDATA or processing instructions, which mean
/// nothing in a URDF, and no elements nested so deep that tinyxml2 would not parse them. Throws ModelError.
std::string check_xml_structure(std::string_view xml);

}  // namespace spatial_dynamics
