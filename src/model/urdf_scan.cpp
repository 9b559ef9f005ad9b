#include "urdf_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"
#include "urdf_element.hpp"
#include "urdf_number.hpp"
#include "urdf_writer.hpp"
#include "urdf_xml.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::array<const char*, 6> kJointTypes = {"revolute", "continuous", "prismatic",
                                                    "planar",   "floating",   "fixed"};

void reject_xacro(const std::string& element, const std::string& text) {
  if (text.find("${") != std::string::npos || text.find("$(") != std::string::npos) {
    throw ModelError(element, element +
                                  " is named by an expression of xacro; run xacro first and load "
                                  "its output");
  }
}

/// The name of a robot, link or joint.
std::string name_of(const XmlElement& xml) {
  const std::string kind(xml.name);
  std::optional<std::string> name = xml.attribute("name");
  if (!name) {
    throw ModelError(kind, "the <" + kind + "> at line " + std::to_string(xml.line) +
                               " has no name; add name=\"...\"");
  }
  require_valid_name(kind, *name);
  reject_xacro(kind + " " + in_quotes(*name), *name);
  return *std::move(name);
}

/// The minor version of a document of version 1.x. The reduced document is of version 1.0, which is
/// urdfdom's default and which every urdfdom reads.
int minor_version(const XmlElement& robot) {
  const std::optional<std::string> version = robot.attribute("version");
  if (!version || *version == "1.0") return 0;
  if (*version == "1.1") return 1;
  if (*version == "1.2") return 2;
  throw ModelError("document", "the document is of URDF version " + in_quotes(*version) +
                                   "; give it as version 1.0, 1.1 or 1.2");
}

/// The roll, pitch and yaw of a quaternion xyzw: R = Rz(yaw) Ry(pitch) Rx(roll). Exact up to
/// rounding at every pitch: where roll and yaw are not unique, the roll fits the yaw.
Vector3 roll_pitch_yaw(const Quaternion& q) {
  const Matrix3 R = q.toRotationMatrix();
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double s = std::sin(yaw), c = std::cos(yaw);
  return {std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1)),
          std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0))), yaw};
}

void write_quaternion(const UrdfElement& origin, int version, UrdfWriter& out) {
  constexpr double kRounded = 1e-3;  // four digits
  const char* const name = "quat_xyzw";
  if (version < 1) {
    throw ModelError(origin.owner, origin.owner + " has " + origin.where(name) +
                                       ", which URDF has since version 1.1; add version=\"1.1\" to "
                                       "<robot>, or write the rotation as rpy");
  }
  if (origin.has("rpy")) {
    throw ModelError(origin.owner, origin.owner +
                                       " has rpy and quat_xyzw in one <origin>; remove one of the "
                                       "two");
  }
  const std::vector<double> v =
      parse_vector(origin.owner, origin.where(name), origin.required_attribute(name), 4);
  const Quaternion q(v[3], v[0], v[1], v[2]);
  if (!(std::abs(q.norm() - 1.0) <= kRounded)) {
    throw ModelError(origin.owner, origin.owner + " has a quaternion of length " +
                                       rounded_text(q.norm()) + " in " + origin.where(name) +
                                       "; give a unit quaternion as x y z w");
  }
  const Vector3 rpy = roll_pitch_yaw(q.normalized());
  out.attribute("rpy", number_text(rpy(0)) + " " + number_text(rpy(1)) + " " + number_text(rpy(2)));
}

void write_origin(const UrdfElement& parent, int version, UrdfWriter& out) {
  const UrdfElement origin = parent.child("origin");
  if (!origin) {
    return;
  }
  out.open("origin");
  for (const char* name : {"xyz", "rpy"}) {
    if (origin.has(name)) {
      out.vector(origin, name);
    }
  }
  if (origin.has("quat_xyzw")) {
    write_quaternion(origin, version, out);
  }
  out.close();
}

bool has_child(const XmlElement& xml, std::string_view name) {
  return std::any_of(xml.children.begin(), xml.children.end(),
                     [name](const XmlElement& child) { return child.name == name; });
}

UrdfScan::Link write_link(const XmlElement& xml, int version, UrdfWriter& out) {
  const std::string name = name_of(xml);
  const UrdfElement link{&xml, link_element(name)};
  out.open("link");
  out.attribute("name", name);
  if (const UrdfElement inertial = link.child("inertial")) {
    out.open("inertial");
    write_origin(inertial, version, out);
    out.open("mass");
    out.number(inertial.required_child("mass"), "value");
    out.close();
    const UrdfElement inertia = inertial.required_child("inertia");
    out.open("inertia");
    for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) {
      out.number(inertia, entry);
    }
    out.close();
    out.close();
  }
  out.close();
  return {name, has_child(xml, "visual") || has_child(xml, "collision")};
}

std::string joint_type(const UrdfElement& joint) {
  std::string type = joint.required_attribute("type");
  if (std::find(kJointTypes.begin(), kJointTypes.end(), type) == kJointTypes.end()) {
    throw ModelError(joint.owner, joint.owner + " is of the unknown type " + in_quotes(type) +
                                      "; use revolute, continuous, prismatic, planar, floating or "
                                      "fixed");
  }
  return type;
}

/// Unlimited if it is missing.
double optional_limit(const UrdfElement& limit, const char* name) {
  if (!limit.has(name)) return kUnlimited;
  return parse_number(limit.owner, limit.where(name), limit.required_attribute(name), true);
}

void write_limit(const UrdfElement& joint, const std::string& type, int version, UrdfWriter& out) {
  const UrdfElement limit = joint.child("limit");
  const bool is_bounded = type == "revolute" || type == "prismatic";
  if (!limit) {
    if (is_bounded) {
      throw ModelError(joint.owner, joint.owner + " is " + type +
                                        " and has no <limit>; add <limit lower=\"...\" "
                                        "upper=\"...\" effort=\"...\" velocity=\"...\"/>, or make "
                                        "it continuous if it turns without end");
    }
    return;
  }
  out.open("limit");
  for (const char* name : {"lower", "upper"}) {
    // Before version 1.2 the default is 0.
    if (limit.has(name) || (version >= 2 && is_bounded)) {
      out.limit(limit, name);
    }
  }
  for (const char* name : {"effort", "velocity"}) {
    if (limit.has(name) || (version < 2 && type != "fixed")) {
      out.limit(limit, name);
    } else {
      out.attribute(name, number_text(kLargestNumber));  // unlimited; urdfdom 3 requires a number
    }
  }
  out.close();
}

/// The limits that URDF has since version 1.2. Earlier versions ignore the attributes.
JointLimits later_limits(const UrdfElement& joint, int version) {
  JointLimits limits;
  const UrdfElement limit = joint.child("limit");
  if (version < 2 || !limit) return limits;
  limits.acceleration = optional_limit(limit, "acceleration");
  limits.deceleration = optional_limit(limit, "deceleration");
  limits.jerk = optional_limit(limit, "jerk");
  return limits;
}

/// The soft limits of <safety_controller>. A limit that is not given is unlimited, although urdfdom
/// reads it as 0: many files give only the gains.
void read_soft_limits(const UrdfElement& joint, JointLimits& limits) {
  const UrdfElement safety = joint.child("safety_controller");
  if (!safety) return;
  const auto read = [&safety](const char* name, double& limit) {
    if (!safety.has(name)) return;
    limit = parse_number(safety.owner, safety.where(name), safety.required_attribute(name), true);
  };
  read("soft_lower_limit", limits.soft_lower);
  read("soft_upper_limit", limits.soft_upper);
}

void write_motion(const UrdfElement& joint, const std::string& type, int version, UrdfWriter& out) {
  const UrdfElement axis = joint.child("axis");
  if (axis && (type != "fixed" || axis.has("xyz"))) {
    out.open("axis");
    out.vector(axis, "xyz");
    out.close();
  }
  write_limit(joint, type, version, out);
  if (const UrdfElement dynamics = joint.child("dynamics")) {
    out.open("dynamics");
    out.number(dynamics, "damping", "0");
    out.number(dynamics, "friction", "0");
    out.close();
  }
  if (const UrdfElement mimic = joint.child("mimic")) {
    out.open("mimic");
    out.attribute("joint", mimic.required_attribute("joint"));
    out.number(mimic, "multiplier", "1");
    out.number(mimic, "offset", "0");
    out.close();
  }
}

UrdfScan::Joint write_joint(const XmlElement& xml, int version, UrdfWriter& out) {
  UrdfScan::Joint scanned;
  scanned.name = name_of(xml);
  const UrdfElement joint{&xml, joint_element(scanned.name)};
  const std::string type = joint_type(joint);
  scanned.parent = joint.required_child("parent").required_attribute("link");
  scanned.child = joint.required_child("child").required_attribute("link");
  out.open("joint");
  out.attribute("name", scanned.name);
  out.attribute("type", type);
  write_origin(joint, version, out);
  for (const auto& [tag, link] :
       {std::pair("parent", &scanned.parent), std::pair("child", &scanned.child)}) {
    out.open(tag);
    out.attribute("link", *link);
    out.close();
  }
  write_motion(joint, type, version, out);
  out.close();
  scanned.later_limits = later_limits(joint, version);
  read_soft_limits(joint, scanned.later_limits);
  return scanned;
}

}  // namespace

UrdfScan scan_urdf(std::string_view xml) {
  const XmlElement robot = parse_xml(xml);
  if (robot.name != "robot") {
    throw ModelError("document", "the document holds " + in_brackets(robot.name) +
                                     " where a URDF has <robot>; give a URDF document");
  }
  UrdfWriter out;
  out.open("robot");
  out.attribute("name", name_of(robot));
  const int version = minor_version(robot);
  UrdfScan scan;
  for (const XmlElement& child : robot.children) {
    if (child.name == "link") {
      scan.links.push_back(write_link(child, version, out));
    } else if (child.name == "joint") {
      scan.joints.push_back(write_joint(child, version, out));
    }
  }
  out.close();
  scan.document = out.take();
  return scan;
}

}  // namespace spatial_dynamics
