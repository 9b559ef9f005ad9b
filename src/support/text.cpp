#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace spatial_dynamics {
namespace {

constexpr std::size_t kLongestQuote = 80;

/// True for "2.455e+04", up to e+09.
bool has_small_exponent(const std::string& number) {
  return number.find("e+0") != std::string::npos;
}

unsigned char byte_at(std::string_view text, std::size_t i) noexcept {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(std::string_view text, std::size_t i) noexcept {
  return i < text.size() && (byte_at(text, i) & 0xC0U) == 0x80U;
}

bool is_control(std::string_view text, std::size_t i) noexcept {
  const unsigned char c = byte_at(text, i);
  return c < 0x20 || c == 0x7F || (c == 0xC2 && i + 1 < text.size() && byte_at(text, i + 1) < 0xA0);
}

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 0xFU];
}

}  // namespace

// Table 3-7 of the Unicode standard.
std::size_t character_length(std::string_view text, std::size_t i) noexcept {
  const unsigned char first = byte_at(text, i);
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xC2 || first > 0xF4 || !is_continuation(text, i + 1)) {
    return 0;
  }
  if (first < 0xE0) {
    return 2;
  }
  const unsigned char second = byte_at(text, i + 1);
  if (!is_continuation(text, i + 2)) {
    return 0;
  }
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool too_large = first == 0xF4 && second > 0x8F;
  return overlong || too_large || !is_continuation(text, i + 3) ? 0 : 4;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

bool has_control_character(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text, i)) {
      return true;
    }
  }
  return false;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() > kLongestQuote) {
      out += "...";
      break;
    }
    const std::size_t length = character_length(text, i);
    if (length == 0 || is_control(text, i)) {
      append_escaped(out, byte_at(text, i));
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out + "'";
}

std::string link_element(std::string_view name) { return "link " + in_quotes(name); }
std::string joint_element(std::string_view name) { return "joint " + in_quotes(name); }

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  char* const end = buffer.data() + buffer.size();
  std::string text(buffer.data(), std::to_chars(buffer.data(), end, value).ptr);
  if (!has_small_exponent(text)) return text;
  return {buffer.data(), std::to_chars(buffer.data(), end, value, std::chars_format::fixed).ptr};
}

std::string rounded_text(double value, int digits) {
  std::array<char, 32> buffer{};
  char* const end = buffer.data() + buffer.size();
  std::string text(
      buffer.data(),
      std::to_chars(buffer.data(), end, value + 0.0, std::chars_format::general, digits).ptr);
  if (!has_small_exponent(text)) return text;
  double rounded = 0.0;
  (void)std::from_chars(text.data(), text.data() + text.size(), rounded);
  return {buffer.data(),
          std::to_chars(buffer.data(), end, rounded, std::chars_format::fixed, 0).ptr};
}

std::string count_text(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

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

}  // namespace spatial_dynamics
