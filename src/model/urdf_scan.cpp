#include "urdf_scan.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"
#include "text.hpp"
#include "urdf_lexer.hpp"
#include "urdf_number.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {
namespace {

using tinyxml2::XMLElement;
using tinyxml2::XMLPrinter;

constexpr std::array<const char*, 6> kJointTypes = {"revolute", "continuous", "prismatic",
                                                    "planar",   "floating",   "fixed"};

/// One element of the document, and the link or joint to which a refusal ascribes it.
struct Element {
  const XMLElement* xml;
  std::string owner;

  explicit operator bool() const noexcept { return xml != nullptr; }

  [[nodiscard]] std::string tag() const { return std::string("<") + xml->Name() + ">"; }

  [[nodiscard]] std::string where(const char* attribute) const {
    return std::string("the attribute ") + attribute + " of " + tag();
  }

  /// The child of that name, if there is one; two are a mistake, as one of them would be ignored.
  [[nodiscard]] Element child(const char* name) const {
    const XMLElement* found = xml->FirstChildElement(name);
    if (found != nullptr && found->NextSiblingElement(name) != nullptr) {
      throw ModelError(owner, owner + " has two elements <" + name + ">; remove one");
    }
    return {found, owner};
  }

  [[nodiscard]] Element required_child(const char* name) const {
    Element found = child(name);
    if (!found) {
      throw ModelError(owner, owner + " lacks <" + name + "> in " + tag() + "; add it");
    }
    return found;
  }

  [[nodiscard]] const char* attribute(const char* name) const { return xml->Attribute(name); }

  [[nodiscard]] const char* required_attribute(const char* name) const {
    const char* text = attribute(name);
    if (text == nullptr) {
      throw ModelError(owner, owner + " lacks " + where(name) + "; add " + name + "=\"...\"");
    }
    return text;
  }
};

/// Writes the reduced document.
class Writer {
 public:
  Writer() : printer_(nullptr, true) { printer_.PushHeader(false, true); }

  void open(const char* tag) { printer_.OpenElement(tag, true); }
  void close() { printer_.CloseElement(true); }
  void attribute(const char* name, const std::string& text) {
    printer_.PushAttribute(name, text.c_str());
  }
  void number(const Element& from, const char* name) {
    const double value = parse_number(from.owner, from.where(name), from.required_attribute(name));
    attribute(name, number_text(value));
  }
  void number(const Element& from, const char* name, const char* otherwise) {
    if (from && from.attribute(name) != nullptr) {
      number(from, name);
    } else {
      attribute(name, otherwise);
    }
  }
  /// Infinity becomes 1e15, which means the same and which urdfdom can read.
  void limit(const Element& from, const char* name) {
    const double value =
        parse_number(from.owner, from.where(name), from.required_attribute(name), true);
    attribute(name, number_text(std::clamp(value, -kLargestNumber, kLargestNumber)));
  }
  void vector(const Element& from, const char* name) {
    const std::vector<double> v =
        parse_vector(from.owner, from.where(name), from.required_attribute(name));
    for (const double number : v) {
      // Here, because urdfdom turns an rpy into a quaternion, which hides its size.
      if (!(std::abs(number) <= kLargestNumber)) {
        throw ModelError(from.owner, from.owner + " has " + number_text(number) + " in " +
                                         from.where(name) +
                                         ", which is beyond 1e15; correct the number");
      }
    }
    attribute(name, number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]));
  }
  [[nodiscard]] std::string text() const { return printer_.CStr(); }

 private:
  XMLPrinter printer_;
};

void refuse_xacro(const std::string& element, const std::string& text) {
  if (text.find("${") != std::string::npos || text.find("$(") != std::string::npos) {
    throw ModelError(element, element +
                                  " is named by an expression of xacro; run xacro first and load "
                                  "its output");
  }
}

/// The name of a robot, link or joint, checked as far as a parser may depend on it.
std::string name_of(const XMLElement& xml) {
  const std::string kind = xml.Name();
  const char* name = xml.Attribute("name");
  if (name == nullptr) {
    throw ModelError(kind, "the <" + kind + "> at line " + std::to_string(xml.GetLineNum()) +
                               " has no name; add name=\"...\"");
  }
  require_valid_name(kind, name);
  refuse_xacro(kind + " " + in_quotes(name), name);
  return name;
}

void write_origin(const Element& parent, Writer& out) {
  const Element origin = parent.child("origin");
  if (!origin) {
    return;
  }
  if (origin.attribute("quat_xyzw") != nullptr) {
    throw ModelError(origin.owner, origin.owner +
                                       " has an <origin> with quat_xyzw, which is not supported; "
                                       "write its rotation as rpy");
  }
  out.open("origin");
  for (const char* name : {"xyz", "rpy"}) {
    if (origin.attribute(name) != nullptr) {
      out.vector(origin, name);
    }
  }
  out.close();
}

std::string write_link(const XMLElement& xml, Writer& out) {
  std::string name = name_of(xml);
  const Element link{&xml, link_element(name)};
  out.open("link");
  out.attribute("name", name);
  if (const Element inertial = link.child("inertial")) {
    out.open("inertial");
    write_origin(inertial, out);
    out.open("mass");
    out.number(inertial.required_child("mass"), "value");
    out.close();
    const Element inertia = inertial.required_child("inertia");
    out.open("inertia");
    for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) {
      out.number(inertia, entry);
    }
    out.close();
    out.close();
  }
  out.close();
  return name;
}

std::string joint_type(const Element& joint) {
  std::string type = joint.required_attribute("type");
  if (std::find(kJointTypes.begin(), kJointTypes.end(), type) == kJointTypes.end()) {
    throw ModelError(joint.owner, joint.owner + " is of the unknown type " + in_quotes(type) +
                                      "; use revolute, continuous, prismatic, planar, floating or "
                                      "fixed");
  }
  return type;
}

void write_limit(const Element& joint, const std::string& type, Writer& out) {
  const Element limit = joint.child("limit");
  if (!limit) {
    if (type == "revolute" || type == "prismatic") {
      throw ModelError(joint.owner, joint.owner + " is " + type +
                                        " and has no <limit>; add <limit lower=\"...\" "
                                        "upper=\"...\" effort=\"...\" velocity=\"...\"/>, or make "
                                        "it continuous if it turns without end");
    }
    return;
  }
  out.open("limit");
  for (const char* name : {"lower", "upper"}) {
    if (limit.attribute(name) != nullptr) {
      out.limit(limit, name);
    }
  }
  for (const char* name : {"effort", "velocity"}) {
    if (type == "fixed" && limit.attribute(name) == nullptr) {
      out.attribute(name, "0");  // means nothing there, but urdfdom insists
    } else {
      out.limit(limit, name);
    }
  }
  out.close();
}

void write_motion(const Element& joint, const std::string& type, Writer& out) {
  const Element axis = joint.child("axis");
  if (axis && (type != "fixed" || axis.attribute("xyz") != nullptr)) {
    out.open("axis");
    out.vector(axis, "xyz");
    out.close();
  }
  write_limit(joint, type, out);
  if (const Element dynamics = joint.child("dynamics")) {
    out.open("dynamics");
    out.number(dynamics, "damping", "0");
    out.number(dynamics, "friction", "0");
    out.close();
  }
  if (const Element mimic = joint.child("mimic")) {
    out.open("mimic");
    out.attribute("joint", mimic.required_attribute("joint"));
    out.number(mimic, "multiplier", "1");
    out.number(mimic, "offset", "0");
    out.close();
  }
}

UrdfScan::Joint write_joint(const XMLElement& xml, Writer& out) {
  UrdfScan::Joint scanned;
  scanned.name = name_of(xml);
  const Element joint{&xml, joint_element(scanned.name)};
  const std::string type = joint_type(joint);
  scanned.parent = joint.required_child("parent").required_attribute("link");
  scanned.child = joint.required_child("child").required_attribute("link");
  out.open("joint");
  out.attribute("name", scanned.name);
  out.attribute("type", type);
  write_origin(joint, out);
  for (const auto& [tag, link] :
       {std::pair("parent", &scanned.parent), std::pair("child", &scanned.child)}) {
    out.open(tag);
    out.attribute("link", *link);
    out.close();
  }
  write_motion(joint, type, out);
  out.close();
  return scanned;
}

void parse(const std::string& text, tinyxml2::XMLDocument& document) {
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw ModelError("document", "the document is not well-formed XML at line " +
                                     std::to_string(document.ErrorLineNum()) + " (" +
                                     document.ErrorName() + "); correct it there");
  }
}

}  // namespace

UrdfScan scan_urdf(std::string_view xml) {
  tinyxml2::XMLDocument document;
  parse(check_xml_structure(xml), document);
  const XMLElement* robot = document.RootElement();
  if (robot == nullptr || std::string_view(robot->Name()) != "robot") {
    const std::string tag = robot == nullptr ? "nothing" : "<" + std::string(robot->Name()) + ">";
    throw ModelError("document", "the document holds " + tag +
                                     " where a URDF has <robot>; give a URDF document");
  }
  Writer out;
  out.open("robot");
  out.attribute("name", name_of(*robot));
  if (const char* version = robot->Attribute("version")) {
    out.attribute("version", version);
  }
  UrdfScan scan;
  for (const XMLElement* child = robot->FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string_view tag = child->Name();
    if (tag == "link") {
      scan.links.push_back(write_link(*child, out));
      if (child->FirstChildElement("visual") != nullptr ||
          child->FirstChildElement("collision") != nullptr) {
        scan.shaped_links.push_back(scan.links.back());
      }
    } else if (tag == "joint") {
      scan.joints.push_back(write_joint(*child, out));
    }
  }
  out.close();
  scan.document = out.text();
  return scan;
}

}  // namespace spatial_dynamics
