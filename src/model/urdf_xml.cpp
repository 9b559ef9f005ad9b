#include "urdf_xml.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "model/urdf_file.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"
#include "urdf_reference.hpp"

namespace spatial_dynamics {
namespace {

/// Deeper elements are dropped: <robot><link><inertial><mass> are the deepest that dynamics needs.
constexpr std::size_t kDeepestKept = 4;
constexpr const char* kDocument = "document";
constexpr std::string_view kXacroPrefix = "xacro:";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kNowhere = std::string_view::npos;

bool is_forbidden(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 && !is_xml_space(c);
}

bool is_ascii(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }

/// The encoding of an XML declaration in upper case; empty if it names none.
std::string declared_encoding(std::string_view declaration) {
  const std::size_t key = declaration.find("encoding");
  const std::size_t open = declaration.find_first_of("\"'", std::min(key, declaration.size()));
  if (open == kNowhere) {
    return {};
  }
  const std::size_t close = declaration.find(declaration[open], open + 1);
  std::string name(declaration.substr(open + 1, std::min(close, declaration.size()) - open - 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

/// Reads the document part by part and keeps its elements.
class Parser {
 public:
  explicit Parser(std::string_view xml) : xml_(xml) {}

  XmlElement run() {
    if (starts_with(kByteOrderMark)) {
      position_ = kByteOrderMark.size();
    }
    while (position_ < xml_.size()) {
      if (xml_[position_] != '<') {
        text();
        continue;
      }
      if (starts_with("<!--")) {
        skip_past("-->", 4, "a comment");
      } else if (starts_with("<![CDATA[")) {
        cdata();
      } else if (starts_with("<?")) {
        instruction();
      } else if (starts_with("<!")) {
        reject("has a document type declaration or an entity, which URDF does not use; remove it");
      } else if (starts_with("</")) {
        closing_tag();
      } else {
        opening_tag();
      }
      at_beginning_ = false;
    }
    if (!open_.empty()) {
      reject("ends before " + in_brackets(open_.back()) + " is closed; it is truncated or lacks " +
             in_brackets("/" + std::string(open_.back())));
    }
    if (!has_root_) {
      reject("holds no XML element; give a URDF document, which starts with <robot name=\"...\">");
    }
    return std::move(root_);
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    reject_document(xml_, position_, what);
  }

  [[noreturn]] void reject_truncated(const char* inside) const {
    reject(std::string("ends inside ") + inside + "; it is truncated");
  }

  [[nodiscard]] bool starts_with(std::string_view prefix) const noexcept {
    return xml_.compare(position_, prefix.size(), prefix) == 0;
  }

  /// Moves past the first `end` after an opening of that many characters. Returns the skipped part.
  std::string_view skip_past(std::string_view end, std::size_t opening, const char* what) {
    const std::size_t found = xml_.find(end, position_ + opening);
    if (found == kNowhere) {
      reject_truncated(what);
    }
    const std::size_t start = std::exchange(position_, found + end.size());
    return xml_.substr(start, position_ - start);
  }

  /// The line of the current position. Called with growing positions, it counts each line once.
  std::size_t line() {
    const std::string_view part = xml_.substr(counted_, position_ - counted_);
    line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    counted_ = position_;
    return line_;
  }

  void require_characters(std::string_view part) const {
    if (!is_utf8(part)) {
      reject("holds bytes that are not UTF-8; save it as UTF-8");
    }
    if (!foreign_encoding_.empty() && !std::all_of(part.begin(), part.end(), is_ascii)) {
      reject("holds letters beyond ASCII and declares the encoding " +
             in_quotes(foreign_encoding_) + "; save it as UTF-8, and declare that");
    }
  }

  void require_references(std::string_view part, std::size_t position,
                          const std::string& where) const {
    if (const auto bad = find_bad_reference(part)) {
      reject_document(xml_, position + bad->position, "in " + where + ", " + bad->complaint);
    }
  }

  [[noreturn]] void reject_text_outside() const {
    reject("has text outside its root element; give XML that is one element <robot>");
  }

  void text() {
    const std::size_t end = std::min(xml_.find('<', position_), xml_.size());
    const std::string_view part = xml_.substr(position_, end - position_);
    require_characters(part);
    if (!open_.empty()) {
      require_references(part, position_, in_brackets(open_.back()));
    } else if (!std::all_of(part.begin(), part.end(), is_xml_space)) {
      reject_text_outside();
    }
    position_ = end;
  }

  void cdata() {
    if (open_.empty()) {
      reject_text_outside();
    }
    require_characters(skip_past("]]>", 9, "a CDATA section"));
  }

  /// A processing instruction is for other programs; the XML declaration looks like one.
  void instruction() {
    const bool is_declaration =
        starts_with("<?xml") && position_ + 5 < xml_.size() && !is_name_part(xml_[position_ + 5]);
    if (is_declaration && !at_beginning_) {
      reject("has an XML declaration <?xml ...?> that is not at its beginning; move it there");
    }
    const std::string_view part = skip_past("?>", 2, "a processing instruction");
    if (is_declaration) {
      const std::string encoding = declared_encoding(part);
      if (encoding != "UTF-8" && encoding != "UTF8" && encoding != "US-ASCII") {
        foreign_encoding_ = encoding;
      }
    }
  }

  void closing_tag() {
    const std::string_view tag = skip_past(">", 2, "a tag");
    std::string_view name = tag.substr(2, tag.size() - 3);
    while (!name.empty() && is_xml_space(name.back())) {
      name.remove_suffix(1);
    }
    if (open_.empty() || open_.back() != name) {
      const std::string expected =
          open_.empty() ? "no element is open" : in_brackets(open_.back()) + " is open";
      reject("has " + in_brackets("/" + std::string(name)) + " where " + expected +
             "; close the elements in the reverse order of opening");
    }
    close();
  }

  void opening_tag() {
    Tag tag = read_tag(xml_, position_);
    require_characters(tag.text);
    require_place_for(tag.name);
    open_.push_back(tag.name);
    if (open_.size() <= kDeepestKept) {
      XmlElement& element = kept_.empty() ? root_ : kept_.back()->children.emplace_back();
      element.name = tag.name;
      element.line = line();
      element.attributes = std::move(tag.attributes);
      kept_.push_back(&element);
    }
    position_ += tag.text.size();
    if (tag.is_whole_element) {
      close();
    }
  }

  void close() {
    if (open_.size() <= kDeepestKept) {
      kept_.pop_back();
    }
    open_.pop_back();
  }

  void require_place_for(std::string_view name) {
    if (name.substr(0, kXacroPrefix.size()) == kXacroPrefix) {
      reject("has " + in_brackets(name) +
             ", so it is a xacro file; run xacro first and load its output");
    }
    if (open_.empty() && std::exchange(has_root_, true)) {
      reject("has a second root element " + in_brackets(name) + "; give one <robot>");
    }
    if (open_.size() + 1 > kDeepestElement) {
      reject("nests elements more than " + std::to_string(kDeepestElement) +
             " deep; URDF needs 5, so remove what is nested deeper");
    }
  }

  std::string_view xml_;
  std::size_t position_ = 0;
  bool has_root_ = false;
  bool at_beginning_ = true;      // only white space so far
  std::string foreign_encoding_;  // declared, and not UTF-8
  std::size_t line_ = 1;          // of the character at counted_
  std::size_t counted_ = 0;
  std::vector<std::string_view> open_;  // names of the open elements
  std::vector<XmlElement*> kept_;       // those of the open elements that are kept
  XmlElement root_;
};

}  // namespace

std::optional<std::string> XmlElement::attribute(std::string_view attribute_name) const {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == attribute_name) return resolve_references(attribute.text);
  }
  return std::nullopt;
}

XmlElement parse_xml(std::string_view xml) {
  if (xml.size() > kLargestUrdf) {
    throw ModelError(kDocument,
                     "the document is larger than 16 MiB; remove what is not needed "
                     "(store meshes in separate files)");
  }
  if (const std::size_t nul = xml.find('\0'); nul != kNowhere) {
    reject_document(
        xml, nul,
        "holds a NUL byte, so it is UTF-16 or not a text file; save it as plain UTF-8 text");
  }
  const auto forbidden = std::find_if(xml.begin(), xml.end(), is_forbidden);
  if (forbidden != xml.end()) {
    const auto position = static_cast<std::size_t>(forbidden - xml.begin());
    reject_document(
        xml, position,
        "holds the control character " + in_quotes(xml.substr(position, 1)) + "; remove it");
  }
  return Parser(xml).run();
}

}  // namespace spatial_dynamics
