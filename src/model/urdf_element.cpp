#include "urdf_element.hpp"

#include <optional>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics {

std::string UrdfElement::where(const char* attribute) const {
  return std::string("the attribute ") + attribute + " of " + tag();
}

UrdfElement UrdfElement::child(const char* name) const {
  const XmlElement* found = nullptr;
  for (const XmlElement& candidate : xml->children) {
    if (candidate.name != name) continue;
    if (found != nullptr) {
      throw ModelError(owner, owner + " has two elements <" + name + ">; remove one");
    }
    found = &candidate;
  }
  return {found, owner};
}

UrdfElement UrdfElement::required_child(const char* name) const {
  UrdfElement found = child(name);
  if (!found) {
    throw ModelError(owner, owner + " lacks <" + name + "> in " + tag() + "; add it");
  }
  return found;
}

std::string UrdfElement::required_attribute(const char* name) const {
  std::optional<std::string> text = xml->attribute(name);
  if (!text) {
    throw ModelError(owner, owner + " lacks " + where(name) + "; add " + name + "=\"...\"");
  }
  return *std::move(text);
}

}  // namespace spatial_dynamics
