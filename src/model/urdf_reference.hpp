// References of XML, such as &amp; and &#65;.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spatial_dynamics {

struct BadReference {
  std::size_t position = 0;  ///< of its '&' in the text
  std::string complaint;     ///< error and remedy, as the end of a sentence: "refers to …; …"
};

/// The first reference in an attribute's value or an element's text that is neither one of XML's
/// five entities nor the number of a character that XML allows. Allocates.
std::optional<BadReference> find_bad_reference(std::string_view text);

/// `text` with its references replaced by their characters in UTF-8. Requires that
/// find_bad_reference() finds none. Allocates.
std::string resolve_references(std::string_view text);

}  // namespace spatial_dynamics
