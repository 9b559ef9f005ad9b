// An element of a URDF document, with checks of what it must have.
#pragma once

#include <string>

#include "urdf_xml.hpp"

namespace spatial_dynamics {

/// An element of the document, and the link or joint that errors in it name. Functions allocate and
/// throw ModelError.
struct UrdfElement {
  const XmlElement* xml = nullptr;
  std::string owner;

  explicit operator bool() const noexcept { return xml != nullptr; }

  [[nodiscard]] std::string tag() const { return "<" + std::string(xml->name) + ">"; }
  /// "the attribute value of <mass>"
  [[nodiscard]] std::string where(const char* attribute) const;
  /// The child of that name, null if there is none. Rejects two, because one would be ignored.
  [[nodiscard]] UrdfElement child(const char* name) const;
  [[nodiscard]] UrdfElement required_child(const char* name) const;
  [[nodiscard]] bool has(const char* name) const { return xml->attribute(name).has_value(); }
  [[nodiscard]] std::string required_attribute(const char* name) const;
};

}  // namespace spatial_dynamics
