#include "urdf_reference.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::array<std::string_view, 5> kEntities = {"amp", "lt", "gt", "quot", "apos"};
/// Longer than any name or number that means something, and short enough for a sentence.
constexpr std::size_t kLongestReference = 32;

/// The number after "&#", such as 65 for "65" and "x41"; a capital X is not XML.
std::optional<std::uint32_t> character_number(std::string_view text) noexcept {
  const bool hexadecimal = !text.empty() && text.front() == 'x';
  if (hexadecimal) {
    text.remove_prefix(1);
  }
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
  if (text.empty() || result.ptr != end || result.ec == std::errc::invalid_argument) {
    return std::nullopt;
  }
  return result.ec == std::errc::result_out_of_range ? UINT32_MAX : value;
}

/// The characters that an XML document may hold at all. (XML 1.0, production 2.)
bool is_allowed(std::uint32_t c) noexcept {
  if (c < 0x20) {
    return c == '\t' || c == '\n' || c == '\r';
  }
  const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
  return !surrogate && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

/// What is wrong with the reference that `text` begins with; empty if nothing is.
std::string complaint_about(std::string_view text) {
  const std::size_t semicolon = text.substr(0, kLongestReference).find(';');
  const std::string_view name =
      semicolon == std::string_view::npos ? std::string_view{} : text.substr(1, semicolon - 1);
  if (name.find_first_of(" \t\r\n&\"'") != std::string_view::npos || name.empty()) {
    return "has an '&' that begins no reference; write &amp; for the character";
  }
  const std::string quoted = in_quotes(text.substr(0, semicolon + 1));
  if (name.front() == '#') {
    const std::optional<std::uint32_t> number = character_number(name.substr(1));
    if (!number) {
      return "has " + quoted + ", which is no character reference; write it like &#65; or &#x41;";
    }
    return is_allowed(*number) ? ""
                               : "refers by " + quoted +
                                     " to a control character or to none, which XML forbids; "
                                     "remove it";
  }
  if (std::find(kEntities.begin(), kEntities.end(), name) == kEntities.end()) {
    return "has the unknown entity " + quoted +
           "; write the character itself (XML knows only &amp; &lt; &gt; &quot; &apos;)";
  }
  return "";
}

}  // namespace

std::optional<BadReference> find_bad_reference(std::string_view text) {
  for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
    std::string complaint = complaint_about(text.substr(i));
    if (!complaint.empty()) {
      return BadReference{i, std::move(complaint)};
    }
  }
  return std::nullopt;
}

}  // namespace spatial_dynamics
