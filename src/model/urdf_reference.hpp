// References of XML, such as &amp; and &#65;, which parsers resolve alike only where they are well-formed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spatial_dynamics {

struct BadReference {
  std::size_t position = 0;  ///< of its '&' in the text
  std::string
      complaint;  ///< what is wrong and the remedy, as the end of a sentence: "refers to …; …"
};

/// The first reference in an attribute's value or an element's text that is not one of XML's own five entities and not the
/// number of a character that XML allows. Allocates.
std::optional<BadReference> find_bad_reference(std::string_view text);

}  // namespace spatial_dynamics
