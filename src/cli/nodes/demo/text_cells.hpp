// Text in columns of a terminal. Each character counts as one cell, which is right for usual joint
// names.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics::cli {

/// Continuation bytes of UTF-8, 10xxxxxx, belong to the character before.
inline bool continues(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

inline std::size_t cells(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

/// The first `width` cells.
inline std::string clip(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size(); ++end) {
    if (!continues(text[end]) && ++count > width) break;
  }
  return std::string(text.substr(0, end));
}

inline std::string left(const std::string& text, std::size_t width) {
  const std::size_t used = cells(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}
inline std::string right(const std::string& text, std::size_t width) {
  const std::size_t used = cells(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}
inline std::string centred(const std::string& text, std::size_t width) {
  const std::size_t used = cells(text);
  return used < width ? left(std::string((width - used) / 2, ' ') + text, width) : text;
}
inline std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}
inline std::string number(const char* form, double value) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}
/// Replaces control characters, which could move the cursor, by spaces.
inline std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U; }, ' ');
  return text;
}

/// A line of pieces with different colours, with its width in cells.
class StyledLine {
 public:
  explicit StyledLine(bool colours) : colours_(colours) {}

  StyledLine& add(std::string text, const char* style = "") {
    width_ += cells(text);
    pieces_.push_back({std::move(text), style});
    return *this;
  }
  StyledLine& add(const StyledLine& other) {
    for (const Piece& piece : other.pieces_) add(piece.text, piece.style);
    return *this;
  }
  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  /// The first `width` cells, with escape sequences for colours.
  [[nodiscard]] std::string clipped(std::size_t width) const {
    std::string result;
    for (const Piece& piece : pieces_) {
      const std::string text = clip(piece.text, width);
      width -= cells(text);
      const bool styled = colours_ && piece.style[0] != '\0' && !text.empty();
      result += styled ? piece.style + text + "\x1b[0m" : text;
    }
    return result;
  }

 private:
  struct Piece {
    std::string text;
    const char* style;
  };
  std::vector<Piece> pieces_;
  std::size_t width_ = 0;
  bool colours_;
};

}  // namespace spatial_dynamics::cli
