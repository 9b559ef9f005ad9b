#include "spatial_dynamics/model/edit_urdf.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/text.hpp"
#include "urdf_element.hpp"
#include "urdf_number.hpp"
#include "urdf_tag.hpp"
#include "urdf_xml.hpp"

namespace spatial_dynamics {
namespace {

std::string written(double value) { return rounded_text(value + 0.0, 8); }

std::string written(const Vector3& v) {
  return written(v.x()) + " " + written(v.y()) + " " + written(v.z());
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

std::string attribute_text(const std::string& name, const std::string& value) {
  std::string text = " ";
  return text.append(name).append("=\"").append(value).append("\"");
}

std::string element_text(const std::string& name, const Attributes& attributes) {
  std::string text = "<" + name;
  for (const auto& [attribute, value] : attributes) text += attribute_text(attribute, value);
  return text + "/>";
}

/// Collects replacements of parts of a text.
class TextEdits {
 public:
  explicit TextEdits(std::string_view xml) : xml_(xml) {}

  void replace(std::string_view part, const std::string& text) {
    edits_.push_back({offset(part), part.size(), text});
  }
  void insert(std::size_t position, const std::string& text) {
    edits_.push_back({position, 0, text});
  }

  [[nodiscard]] std::size_t offset(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - xml_.data());
  }

  [[nodiscard]] std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.position < b.position; });
    std::string out;
    std::size_t copied = 0;
    for (const Edit& edit : edits_) {
      out.append(xml_.substr(copied, edit.position - copied)).append(edit.text);
      copied = edit.position + edit.length;
    }
    return out.append(xml_.substr(copied));
  }

 private:
  struct Edit {
    std::size_t position, length;
    std::string text;
  };

  std::string_view xml_;
  std::vector<Edit> edits_;
};

class UrdfEditor {
 public:
  explicit UrdfEditor(std::string_view xml) : xml_(xml), edits_(xml), root_(parse_xml(xml)) {}

  std::string run(const UrdfChanges& changes) {
    for (const LinkChange& change : changes.links) {
      change_link({&find("link", change.link), link_element(change.link)}, change.mass_properties);
    }
    for (const JointChange& change : changes.joints) {
      const UrdfElement joint{&find("joint", change.joint), joint_element(change.joint)};
      set(joint, "dynamics",
          {{"damping", written(change.damping)}, {"friction", written(change.friction)}});
    }
    return edits_.apply();
  }

 private:
  [[nodiscard]] const XmlElement& find(std::string_view kind, const std::string& name) const {
    for (const XmlElement& element : root_.children) {
      if (element.name == kind && element.attribute("name") == name) return element;
    }
    throw ModelError(std::string(kind), "the document has no " + std::string(kind) + " " +
                                            in_quotes(name) + " to change");
  }

  /// The opening tag of an element.
  [[nodiscard]] Tag tag_of(const XmlElement& element) const {
    return read_tag(xml_, edits_.offset(element.name) - 1);
  }
  [[nodiscard]] std::size_t end_of_tag(const XmlElement& element) const {
    const Tag tag = tag_of(element);
    return edits_.offset(tag.text) + tag.text.size();
  }

  /// White space before the '<' of an element, with its line feed.
  [[nodiscard]] std::string space_before(const XmlElement& element) const {
    const std::size_t end = edits_.offset(element.name) - 1;
    std::size_t begin = end;
    while (begin > 0 && is_xml_space(xml_[begin - 1]) && xml_[begin - 1] != '\n') --begin;
    if (begin > 0 && xml_[begin - 1] == '\n') --begin;
    return std::string(xml_.substr(begin, end - begin));
  }

  /// Adds a child after the last child without children of its own, or at the beginning.
  void add_child(const XmlElement& parent, const std::string& child) {
    const Tag tag = tag_of(parent);
    if (tag.is_whole_element) {
      const std::string outside = space_before(parent);
      const std::size_t slash = edits_.offset(tag.text) + tag.text.size() - 2;
      edits_.replace(xml_.substr(slash, 2), ">" + outside + "  " + child + outside + "</" +
                                                std::string(parent.name) + ">");
      return;
    }
    const XmlElement* last = nullptr;
    for (const XmlElement& other : parent.children) {
      if (tag_of(other).is_whole_element) last = &other;
    }
    const std::string space =
        parent.children.empty() ? space_before(parent) + "  " : space_before(parent.children[0]);
    edits_.insert(end_of_tag(last != nullptr ? *last : parent), space + child);
  }

  /// Sets attributes of a child, which is added if it is missing.
  void set(const UrdfElement& parent, const char* child, const Attributes& attributes) {
    const UrdfElement element = parent.child(child);
    if (!element) {
      add_child(*parent.xml, element_text(child, attributes));
      return;
    }
    for (const auto& [name, value] : attributes) {
      const std::string& key = name;
      const auto& present = element.xml->attributes;
      const auto found =
          std::find_if(present.begin(), present.end(),
                       [&key](const XmlAttribute& attribute) { return attribute.name == key; });
      if (found != present.end()) {
        edits_.replace(found->text, value);
      } else {
        edits_.insert(edits_.offset(element.xml->name) + element.xml->name.size(),
                      attribute_text(name, value));
      }
    }
  }

  /// The axes of an inertial, along which its inertia is written.
  static Matrix3 axes_of(const UrdfElement& origin) {
    if (!origin) return Matrix3::Identity();
    if (origin.has("quat_xyzw")) {
      const std::vector<double> q = parse_vector(origin.owner, origin.where("quat_xyzw"),
                                                 origin.required_attribute("quat_xyzw"), 4);
      return Quaternion(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
    }
    if (!origin.has("rpy")) return Matrix3::Identity();
    const std::vector<double> rpy =
        parse_vector(origin.owner, origin.where("rpy"), origin.required_attribute("rpy"));
    return rpy_rotation(rpy[0], rpy[1], rpy[2]);
  }

  static Attributes inertia_text(const Matrix3& I) {
    return {{"ixx", written(I(0, 0))}, {"ixy", written(I(0, 1))}, {"ixz", written(I(0, 2))},
            {"iyy", written(I(1, 1))}, {"iyz", written(I(1, 2))}, {"izz", written(I(2, 2))}};
  }

  void change_link(const UrdfElement& link, const MassProperties& m) {
    const UrdfElement inertial = link.child("inertial");
    if (!inertial) {
      add_child(*link.xml, "<inertial>" + element_text("origin", {{"xyz", written(m.com)}}) +
                               element_text("mass", {{"value", written(m.mass)}}) +
                               element_text("inertia", inertia_text(m.inertia_about_com)) +
                               "</inertial>");
      return;
    }
    const Matrix3 axes = axes_of(inertial.child("origin"));
    set(inertial, "origin", {{"xyz", written(m.com)}});
    set(inertial, "mass", {{"value", written(m.mass)}});
    set(inertial, "inertia", inertia_text(axes.transpose() * m.inertia_about_com * axes));
  }

  std::string_view xml_;
  TextEdits edits_;
  XmlElement root_;
};

}  // namespace

std::string edit_urdf(std::string_view xml, const UrdfChanges& changes) {
  return UrdfEditor(xml).run(changes);
}

}  // namespace spatial_dynamics
