#include "urdf_writer.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"
#include "urdf_number.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {
namespace {

/// The text of an attribute, with the characters that XML reserves written as references.
std::string with_references(const std::string& text) {
  std::string written;
  for (const char c : text) {
    switch (c) {
      case '&':
        written += "&amp;";
        break;
      case '<':
        written += "&lt;";
        break;
      case '>':
        written += "&gt;";
        break;
      case '"':
        written += "&quot;";
        break;
      default:
        written += c;
    }
  }
  return written;
}

}  // namespace

void UrdfWriter::open(const char* tag) {
  end_tag();
  text_.append("<").append(tag);
  open_.push_back(tag);
  in_tag_ = true;
}

void UrdfWriter::close() {
  if (std::exchange(in_tag_, false)) {
    text_ += "/>";
  } else {
    text_.append("</").append(open_.back()).append(">");
  }
  open_.pop_back();
}

void UrdfWriter::attribute(const char* name, const std::string& text) {
  text_.append(" ").append(name).append("=\"").append(with_references(text)).append("\"");
}

void UrdfWriter::number(const UrdfElement& from, const char* name) {
  const double value = parse_number(from.owner, from.where(name), from.required_attribute(name));
  attribute(name, number_text(value));
}

void UrdfWriter::number(const UrdfElement& from, const char* name, const char* otherwise) {
  if (from.has(name)) {
    number(from, name);
  } else {
    attribute(name, otherwise);
  }
}

void UrdfWriter::limit(const UrdfElement& from, const char* name) {
  const double value =
      parse_number(from.owner, from.where(name), from.required_attribute(name), true);
  attribute(name, number_text(std::clamp(value, -kLargestNumber, kLargestNumber)));
}

void UrdfWriter::vector(const UrdfElement& from, const char* name) {
  const std::vector<double> v =
      parse_vector(from.owner, from.where(name), from.required_attribute(name));
  for (const double number : v) {
    // Checked here, because urdfdom converts rpy to a quaternion, which hides its size.
    if (!(std::abs(number) <= kLargestNumber)) {
      throw ModelError(from.owner, from.owner + " has " + number_text(number) + " in " +
                                       from.where(name) +
                                       ", which is beyond 1e15; correct the number");
    }
  }
  attribute(name, number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]));
}

void UrdfWriter::end_tag() {
  if (std::exchange(in_tag_, false)) text_ += ">";
}

}  // namespace spatial_dynamics
