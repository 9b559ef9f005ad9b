#include "urdf_tag.hpp"

#include <algorithm>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"
#include "urdf_reference.hpp"

namespace spatial_dynamics {
namespace {

/// All characters beyond ASCII may start a name, as in tinyxml2.
bool is_name_start(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class TagReader {
 public:
  TagReader(std::string_view xml, std::size_t position) : xml_(xml), position_(position) {}

  Tag run() {
    const std::size_t start = position_++;
    element_ = read_name();
    if (element_.empty()) {
      reject("has a '<' that begins no tag; write &lt; for the character");
    }
    read_attributes();
    const std::string_view text = xml_.substr(start, position_ - start);
    return {element_, text, text[text.size() - 2] == '/', std::move(attributes_)};
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    reject_document(xml_, position_, what);
  }

  [[nodiscard]] std::string this_attribute() const {
    return "the attribute " + in_quotes(attributes_.back().name) + " of " + in_brackets(element_);
  }

  /// Moves past the '>' of the tag.
  void read_attributes() {
    for (char c = next(); c != '>'; c = next()) {
      if (c != '/') {
        read_attribute();
      } else if (++position_; next() != '>' || xml_[position_ - 1] != '/') {
        reject("has a '/' inside " + in_brackets(element_) + "; end the tag by \">\" or \"/>\"");
      }
    }
    ++position_;
  }

  void read_attribute() {
    const std::string_view name = read_name();
    if (name.empty()) {
      reject("has " + in_quotes(xml_.substr(position_, 1)) + " in " + in_brackets(element_) +
             " where an attribute should be; write attributes as name=\"value\"");
    }
    const bool is_repeated =
        std::any_of(attributes_.begin(), attributes_.end(),
                    [name](const XmlAttribute& earlier) { return earlier.name == name; });
    attributes_.push_back({name, {}});
    if (is_repeated) {
      reject("has " + this_attribute() + " twice; remove one");
    }
    // Each attribute is compared with all others of its element, so their number is bounded.
    if (attributes_.size() > kMostAttributes) {
      reject("has an element with more than " + std::to_string(kMostAttributes) +
             " attributes; remove those that URDF does not know");
    }
    if (next() != '=') {
      reject("has no value for " + this_attribute() + "; write it as name=\"value\"");
    }
    ++position_;
    read_value();
  }

  void read_value() {
    const char quote = next();
    if (quote != '"' && quote != '\'') {
      reject("has no quotes around " + this_attribute() + "; write it as name=\"value\"");
    }
    const std::size_t start = position_ + 1;
    const std::size_t end = xml_.find(quote, start);
    const std::string_view value = xml_.substr(start, std::min(end, xml_.size()) - start);
    if (value.find('<') != std::string_view::npos) {
      reject("has a '<' in " + this_attribute() +
             "; close its quotes, or write &lt; for the character");
    }
    if (end == std::string_view::npos) {
      reject_truncated();
    }
    if (const auto bad = find_bad_reference(value)) {
      reject_document(xml_, start + bad->position,
                      "in " + this_attribute() + ", " + bad->complaint);
    }
    attributes_.back().text = value;
    position_ = end + 1;
  }

  /// Reads the name at the current position and moves past it; empty if there is none.
  std::string_view read_name() noexcept {
    const std::size_t start = position_;
    if (start < xml_.size() && is_name_start(xml_[start])) {
      while (position_ < xml_.size() && is_name_part(xml_[position_])) {
        ++position_;
      }
    }
    return xml_.substr(start, position_ - start);
  }

  /// Moves to the next character that is not white space, and returns it.
  char next() {
    while (position_ < xml_.size() && is_xml_space(xml_[position_])) {
      ++position_;
    }
    if (position_ == xml_.size()) {
      reject_truncated();
    }
    return xml_[position_];
  }

  [[noreturn]] void reject_truncated() const {
    reject("ends inside " + in_brackets(element_) + "; it is truncated");
  }

  std::string_view xml_;
  std::size_t position_;
  std::string_view element_;
  std::vector<XmlAttribute> attributes_;  // those read so far
};

}  // namespace

Tag read_tag(std::string_view xml, std::size_t position) { return TagReader(xml, position).run(); }

void reject_document(std::string_view xml, std::size_t position, const std::string& what) {
  const std::string_view before = xml.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw ModelError("document", "the document, at line " + std::to_string(line) + ", " + what);
}

std::string in_brackets(std::string_view name) {
  const std::string shown = in_quotes(name);
  return "<" + shown.substr(1, shown.size() - 2) + ">";
}

bool is_name_part(char c) noexcept {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

}  // namespace spatial_dynamics
