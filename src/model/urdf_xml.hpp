// The one XML parser of the loader: strict, without recursion, with line numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "urdf_tag.hpp"

namespace spatial_dynamics {

inline constexpr std::size_t kDeepestElement = 256;

/// An element of a document. Views refer to the text of the document.
struct XmlElement {
  std::string_view name;
  std::size_t line = 0;  ///< of its '<', counted from 1
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;  ///< elements only, in the order of the document

  /// The value of an attribute with its references resolved.
  [[nodiscard]] std::optional<std::string> attribute(std::string_view attribute_name) const;
};

/// Parses a document in time linear in its size and returns its root. Checks size, depth,
/// characters, references, attributes, matching tags, one root, no document type declaration, no
/// xacro. Comments, text, CDATA, processing instructions and elements deeper than those of URDF are
/// checked and dropped, because they have no meaning in a URDF. Allocates; throws ModelError.
XmlElement parse_xml(std::string_view xml);

}  // namespace spatial_dynamics
