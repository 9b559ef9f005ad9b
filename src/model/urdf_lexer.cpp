#include "urdf_lexer.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "spatial_dynamics/model/model_error.hpp"
#include "text.hpp"

namespace spatial_dynamics {
namespace {

/// Deeper elements are left out: tinyxml2 9 stops at 100, and URDF itself ends at 5.
constexpr std::size_t kDeepestKept = 50;
constexpr const char* kDocument = "document";
constexpr std::string_view kXacroPrefix = "xacro:";

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_forbidden(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 && !is_space(c); }

/// The number of the character reference after "&#", such as 65 for "x41;"; large enough to be harmless if it is none.
std::uint32_t character_reference(std::string_view text) noexcept {
  constexpr std::uint32_t kHarmless = 0x110000;
  const bool hexadecimal = !text.empty() && text.front() == 'x';
  std::uint32_t value = 0;
  std::size_t i = hexadecimal ? 1 : 0;
  const std::size_t first = i;
  for (; i < text.size() && text[i] != ';' && value < kHarmless; ++i) {
    const char c = text[i];
    std::uint32_t digit = 16;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0');
    } else if (hexadecimal && c >= 'a' && c <= 'f') {
      digit = static_cast<std::uint32_t>(c - 'a') + 10;
    } else if (hexadecimal && c >= 'A' && c <= 'F') {
      digit = static_cast<std::uint32_t>(c - 'A') + 10;
    }
    if (digit == 16) {
      return kHarmless;
    }
    value = value * (hexadecimal ? 16 : 10) + digit;
  }
  return i == first ? kHarmless : value;
}

class Lexer {
 public:
  explicit Lexer(std::string_view xml) : xml_(xml) { kept_.reserve(xml.size()); }

  std::string run() {
    while (position_ < xml_.size()) {
      if (xml_[position_] != '<') {
        text();
      } else if (starts_with("<!--")) {
        keep(skip_past("-->", "a comment"));
      } else if (starts_with("<![CDATA[")) {
        cdata();
      } else if (starts_with("<?")) {
        keep(skip_past("?>", "a processing instruction"));
      } else if (starts_with("<!")) {
        refuse(
            "has a document type declaration or an entity, which URDF has no use for; remove it");
      } else if (starts_with("</")) {
        closing_tag();
      } else {
        opening_tag();
      }
    }
    if (!open_.empty()) {
      refuse("ends before <" + printable(open_.back()) +
             "> is closed; it is truncated or lacks </" + printable(open_.back()) + ">");
    }
    if (!has_root_) {
      refuse("holds no XML element; give a URDF document, which starts with <robot name=\"...\">");
    }
    return std::move(kept_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    const auto end = xml_.begin() + static_cast<std::ptrdiff_t>(std::min(position_, xml_.size()));
    const auto line = 1 + std::count(xml_.begin(), end, '\n');
    throw ModelError(kDocument, "the document, at line " + std::to_string(line) + ", " + what);
  }

  /// As in_quotes(), without the quotes.
  static std::string printable(std::string_view text) {
    const std::string shown = in_quotes(text);
    return shown.substr(1, shown.size() - 2);
  }

  [[nodiscard]] bool starts_with(std::string_view prefix) const noexcept {
    return xml_.compare(position_, prefix.size(), prefix) == 0;
  }

  /// Moves behind the next `end` and returns what was passed.
  std::string_view skip_past(std::string_view end, const char* what) {
    const std::size_t found = xml_.find(end, position_);
    if (found == std::string_view::npos) {
      refuse(std::string("ends inside ") + what + "; it is truncated");
    }
    const std::size_t start = std::exchange(position_, found + end.size());
    return xml_.substr(start, position_ - start);
  }

  void keep(std::string_view part) {
    if (open_.size() <= kDeepestKept) {
      kept_ += part;
    } else {
      // Keep the lines, so that the parser counts them right.
      kept_.append(static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')), '\n');
    }
  }

  void require_utf8(std::string_view part) const {
    if (!is_utf8(part)) {
      refuse("holds bytes that are not UTF-8; save it as UTF-8");
    }
  }

  void require_harmless_references(std::string_view part) const {
    for (std::size_t i = part.find("&#"); i != std::string_view::npos; i = part.find("&#", i + 2)) {
      const std::uint32_t c = character_reference(part.substr(i + 2));
      if (c < 0x20 && !is_space(static_cast<char>(c))) {
        refuse("refers to a control character; remove it");
      }
    }
  }

  void text() {
    const std::size_t end = std::min(xml_.find('<', position_), xml_.size());
    const std::string_view part = xml_.substr(position_, end - position_);
    require_utf8(part);
    require_harmless_references(part);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool is_mark = position_ == 0 && part.substr(0, 3) == kByteOrderMark;
    const std::string_view visible = is_mark ? part.substr(3) : part;
    if (open_.empty() && !std::all_of(visible.begin(), visible.end(), is_space)) {
      refuse("has text outside its root element; give XML that is one element <robot>");
    }
    keep(part);
    position_ = end;
  }

  void cdata() {
    if (open_.empty()) {
      refuse("has text outside its root element; give XML that is one element <robot>");
    }
    const std::string_view part = skip_past("]]>", "a CDATA section");
    require_utf8(part);
    keep(part);
  }

  void closing_tag() {
    const std::string_view tag = skip_past(">", "a tag");
    std::string_view name = tag.substr(2, tag.size() - 3);
    while (!name.empty() && is_space(name.back())) {
      name.remove_suffix(1);
    }
    if (open_.empty() || open_.back() != name) {
      const std::string expected =
          open_.empty() ? "no element is open" : "<" + printable(open_.back()) + "> is open";
      refuse("has </" + printable(name) + "> where " + expected + "; let every tag close its own");
    }
    keep(tag);
    open_.pop_back();
  }

  void opening_tag() {
    const std::size_t start = position_;
    const std::size_t end = end_of_tag();
    const std::string_view tag = xml_.substr(start, end - start);
    require_utf8(tag);
    require_harmless_references(tag);
    const auto is_end_of_name = [](char c) { return is_space(c) || c == '/' || c == '>'; };
    const auto name_end = std::find_if(tag.begin() + 1, tag.end(), is_end_of_name);
    const std::string_view name =
        tag.substr(1, static_cast<std::size_t>(name_end - tag.begin()) - 1);
    if (name.substr(0, kXacroPrefix.size()) == kXacroPrefix) {
      refuse("has <" + printable(name) +
             ">, so it is a xacro file; run xacro first and load its output");
    }
    if (open_.empty() && std::exchange(has_root_, true)) {
      refuse("has a second root element <" + printable(name) + ">; give one <robot>");
    }
    if (open_.size() + 1 > kDeepestElement) {
      refuse("nests elements more than " + std::to_string(kDeepestElement) +
             " deep; URDF needs 5, so remove what is nested deeper");
    }
    position_ = end;
    open_.push_back(name);
    keep(tag);
    if (tag[tag.size() - 2] == '/') {
      open_.pop_back();
    }
  }

  /// The position behind the tag that starts here; '>' in quotes does not end it.
  std::size_t end_of_tag() {
    std::size_t attributes = 0;
    for (std::size_t i = position_ + 1; i < xml_.size(); ++i) {
      const char c = xml_[i];
      if (c == '>') {
        return i + 1;
      }
      if (c == '"' || c == '\'') {
        i = xml_.find(c, i + 1);
        if (i == std::string_view::npos) {
          break;
        }
        // tinyxml2 compares every attribute of an element with all others.
        if (++attributes > kMostAttributes) {
          refuse("has an element with more than " + std::to_string(kMostAttributes) +
                 " attributes; remove those that URDF does not know");
        }
      }
    }
    refuse("ends inside a tag; it is truncated");
  }

  std::string_view xml_;
  std::size_t position_ = 0;
  bool has_root_ = false;
  std::vector<std::string_view> open_;  // names of the elements that are open
  std::string kept_;
};

}  // namespace

std::string check_xml_structure(std::string_view xml) {
  if (xml.size() > kLargestDocument) {
    throw ModelError(kDocument,
                     "the document is larger than 16 MiB; remove what is not needed "
                     "(meshes belong into files of their own)");
  }
  if (std::any_of(xml.begin(), xml.end(), is_forbidden)) {
    throw ModelError(kDocument,
                     "the document holds control characters or is not UTF-8; save it as "
                     "plain UTF-8 text");
  }
  return Lexer(xml).run();
}

}  // namespace spatial_dynamics
