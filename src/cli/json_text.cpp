#include "json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace spatial_dynamics::cli {

void append_number(std::string& out, double value) {
  std::array<char, 32> text{};  // sign, 17 digits, point, exponent: 24 at most
  const double unsigned_zero = value + 0.0;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), unsigned_zero,
                                 std::chars_format::general, 17)
                       .ptr;
  out.append(text.data(), end);
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out.push_back(kHex[byte >> 4U]);
      out.push_back(kHex[byte & 0xFU]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

bool parse_number(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && std::isfinite(value);
}

}  // namespace spatial_dynamics::cli
