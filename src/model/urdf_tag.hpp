// The tags of an XML document, read as strictly as every parser reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spatial_dynamics {

inline constexpr std::size_t kMostAttributes = 256;  // of one element

struct Tag {
  std::string_view name;
  std::string_view text;          ///< all of it, from '<' to '>'
  bool is_whole_element = false;  ///< ends by "/>"
};

/// The opening tag at `position`, where a '<' stands. Refuses what is no tag, attributes without quotes, twice, or more than
/// kMostAttributes, a '<' or a bad reference in a value. Allocates; throws ModelError.
Tag read_tag(std::string_view xml, std::size_t position);

/// Throws the ModelError "the document, at line N, <what>" on the document; `what` has the remedy in it.
[[noreturn]] void refuse_document(std::string_view xml, std::size_t position,
                                  const std::string& what);

/// "<name>", safe for a terminal.
std::string in_brackets(std::string_view name);

[[nodiscard]] inline bool is_xml_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Whether a name may go on with this character.
[[nodiscard]] bool is_name_part(char c) noexcept;

}  // namespace spatial_dynamics
