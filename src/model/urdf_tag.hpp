// The tags of an XML document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

inline constexpr std::size_t kMostAttributes = 256;  // of one element

/// Views of the document.
struct XmlAttribute {
  std::string_view name;
  std::string_view text;  ///< between the quotes; references are checked and not resolved
};

struct Tag {
  std::string_view name;
  std::string_view text;          ///< from '<' to '>'
  bool is_whole_element = false;  ///< ends with "/>"
  std::vector<XmlAttribute> attributes;
};

/// The opening tag at `position`, which holds a '<'. Rejects anything that is not a tag; attributes
/// without quotes, repeated, or more than kMostAttributes; a '<' or a bad reference in a value.
/// Allocates; throws ModelError.
Tag read_tag(std::string_view xml, std::size_t position);

/// Throws the ModelError "the document, at line N, <what>"; `what` includes the remedy.
[[noreturn]] void reject_document(std::string_view xml, std::size_t position,
                                  const std::string& what);

/// "<name>", with control characters escaped for a terminal.
std::string in_brackets(std::string_view name);

[[nodiscard]] inline bool is_xml_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// True if a name may contain this character after its first one.
[[nodiscard]] bool is_name_part(char c) noexcept;

}  // namespace spatial_dynamics
