#include "urdf_reference.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
/// Longer than any valid name or number, and short enough for an error message.
constexpr std::size_t kLongestReference = 32;

/// The number after "&#", such as 65 for "65" and "x41"; XML does not allow "X41".
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

/// The characters that an XML document may contain. (XML 1.0, production 2.)
bool is_allowed(std::uint32_t c) noexcept {
  if (c < 0x20) {
    return c == '\t' || c == '\n' || c == '\r';
  }
  const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
  return !surrogate && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

/// The character of an entity; nullopt if there is no such entity.
std::optional<char> entity(std::string_view name) noexcept {
  for (const auto& [entity_name, character] : kEntities) {
    if (entity_name == name) return character;
  }
  return std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto continuation = [c](unsigned shift) {
    return static_cast<char>(0x80U | ((c >> shift) & 0x3FU));
  };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += {static_cast<char>(0xC0U | (c >> 6U)), continuation(0)};
  } else if (c < 0x10000) {
    out += {static_cast<char>(0xE0U | (c >> 12U)), continuation(6), continuation(0)};
  } else {
    out +=
        {static_cast<char>(0xF0U | (c >> 18U)), continuation(12), continuation(6), continuation(0)};
  }
}

/// The error of the reference at the start of `text`; empty if it is valid.
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
  if (!entity(name)) {
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

std::string resolve_references(std::string_view text) {
  std::string resolved;
  std::size_t done = 0;
  for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', done)) {
    resolved += text.substr(done, i - done);
    done = text.find(';', i) + 1;
    const std::string_view name = text.substr(i + 1, done - i - 2);
    if (name.front() == '#') {
      append_utf8(resolved, *character_number(name.substr(1)));
    } else {
      resolved += *entity(name);
    }
  }
  return resolved += text.substr(done);
}

}  // namespace spatial_dynamics
