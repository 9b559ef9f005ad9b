#include "peers/robot.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "support/random_tree.hpp"

namespace spatial_dynamics::peers {
namespace {

using tinyxml2::XMLElement;

Vector3 vector_attribute(const XMLElement* element, const char* name, const Vector3& fallback) {
  const char* text = element != nullptr ? element->Attribute(name) : nullptr;
  if (text == nullptr) return fallback;
  std::istringstream stream(text);
  Vector3 v;
  stream >> v.x() >> v.y() >> v.z();
  if (!stream) throw std::runtime_error(std::string("three numbers expected: ") + text);
  return v;
}

double number_attribute(const XMLElement* element, const char* name, double fallback) {
  const char* text = element != nullptr ? element->Attribute(name) : nullptr;
  return text != nullptr ? std::stod(text) : fallback;
}

/// rpy: about the fixed axes x, then y, then z.
Matrix3 rotation_attribute(const XMLElement* origin) {
  const Vector3 rpy = vector_attribute(origin, "rpy", Vector3::Zero());
  return (Eigen::AngleAxisd(rpy.z(), Vector3::UnitZ()) *
          Eigen::AngleAxisd(rpy.y(), Vector3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vector3::UnitX()))
      .toRotationMatrix();
}

LinkDescription parse_link(const XMLElement& element) {
  LinkDescription link{element.Attribute("name"), std::nullopt};
  const XMLElement* inertial = element.FirstChildElement("inertial");
  if (inertial == nullptr) return link;
  const XMLElement* origin = inertial->FirstChildElement("origin");
  const XMLElement* tensor = inertial->FirstChildElement("inertia");
  const auto moment = [&](const char* name) { return number_attribute(tensor, name, 0.0); };
  Matrix3 I;
  I << moment("ixx"), moment("ixy"), moment("ixz"),  //
      moment("ixy"), moment("iyy"), moment("iyz"),   //
      moment("ixz"), moment("iyz"), moment("izz");
  const Matrix3 R = rotation_attribute(origin);
  MassProperties properties;
  properties.mass = number_attribute(inertial->FirstChildElement("mass"), "value", 0.0);
  properties.com = vector_attribute(origin, "xyz", Vector3::Zero());
  properties.inertia_about_com = R * I * R.transpose();
  link.mass_properties = properties;
  return link;
}

JointType joint_type(const std::string& word) {
  for (const JointType type : {JointType::kFixed, JointType::kRevolute, JointType::kContinuous,
                               JointType::kPrismatic, JointType::kPlanar, JointType::kFloating}) {
    if (word == to_string(type)) return type;
  }
  throw std::runtime_error("unknown joint type " + word);
}

JointDescription parse_joint(const XMLElement& element) {
  JointDescription joint;
  joint.name = element.Attribute("name");
  joint.type = joint_type(element.Attribute("type"));
  joint.parent = element.FirstChildElement("parent")->Attribute("link");
  joint.child = element.FirstChildElement("child")->Attribute("link");
  const XMLElement* origin = element.FirstChildElement("origin");
  joint.origin = Transform::from_pose(rotation_attribute(origin),
                                      vector_attribute(origin, "xyz", Vector3::Zero()));
  joint.axis = vector_attribute(element.FirstChildElement("axis"), "xyz", Vector3::UnitX());
  if (joint.type != JointType::kFixed) joint.axis.normalize();
  const XMLElement* dynamics = element.FirstChildElement("dynamics");
  joint.damping = number_attribute(dynamics, "damping", 0.0);
  joint.friction = number_attribute(dynamics, "friction", 0.0);
  if (const XMLElement* mimic = element.FirstChildElement("mimic")) {
    joint.mimic =
        MimicDescription{mimic->Attribute("joint"), number_attribute(mimic, "multiplier", 1.0),
                         number_attribute(mimic, "offset", 0.0)};
  }
  return joint;
}

std::vector<std::string> urdf_files(const std::filesystem::path& folder) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::size_t Robot::link(const std::string& link_name) const {
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].name == link_name) return i;
  }
  throw std::runtime_error("no link " + link_name);
}

std::size_t Robot::root() const {
  std::set<std::string> names;
  for (const LinkDescription& l : links) names.insert(l.name);
  for (const JointDescription& j : joints) names.erase(j.child);
  if (names.size() != 1) throw std::runtime_error("not a tree with one root");
  return link(*names.begin());
}

std::vector<std::size_t> Robot::joints_from_root() const {
  std::vector<std::size_t> order;
  std::vector<std::size_t> pending;  // a stack: the next joint last
  const auto push_children = [&](const std::string& parent) {
    for (std::size_t i = joints.size(); i-- > 0;) {
      if (joints[i].parent == parent) pending.push_back(i);
    }
  };
  push_children(links[root()].name);
  while (!pending.empty()) {
    const std::size_t next = pending.back();
    pending.pop_back();
    order.push_back(next);
    push_children(joints[next].child);
  }
  return order;
}

Robot parse_urdf(const std::string& xml) {
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.c_str(), xml.size()) != tinyxml2::XML_SUCCESS) {
    throw std::runtime_error(document.ErrorStr());
  }
  const XMLElement* top = document.FirstChildElement("robot");
  Robot robot;
  robot.name = top->Attribute("name");
  for (const XMLElement* e = top->FirstChildElement("link"); e != nullptr;
       e = e->NextSiblingElement("link")) {
    robot.links.push_back(parse_link(*e));
  }
  for (const XMLElement* e = top->FirstChildElement("joint"); e != nullptr;
       e = e->NextSiblingElement("joint")) {
    robot.joints.push_back(parse_joint(*e));
  }
  return robot;
}

Robot with_floating_base(const Robot& robot) {
  Robot floating = robot;
  JointDescription base;
  base.name = kFloatingBase;
  base.type = JointType::kFloating;
  base.parent = "peers_world";
  base.child = robot.links[robot.root()].name;
  floating.links.push_back({base.parent, std::nullopt});
  floating.joints.insert(floating.joints.begin(), base);
  return floating;
}

Robot with_locked_joint(Robot robot, const std::string& joint, double position) {
  for (JointDescription& j : robot.joints) {
    if (j.name != joint) continue;
    const Matrix3 R = j.origin.rotation();
    const bool slides = j.type == JointType::kPrismatic;
    const Matrix3 turn =
        slides ? Matrix3::Identity() : Eigen::AngleAxisd(position, j.axis).toRotationMatrix();
    const Vector3 shift = slides ? Vector3(position * j.axis) : Vector3::Zero();
    j.origin = Transform::from_pose(R * turn, j.origin.position() + R * shift);
    j.type = JointType::kFixed;
  }
  return robot;
}

Robot with_payload(Robot robot, const std::string& link, const MassProperties& payload) {
  JointDescription mount;
  mount.name = "peers_payload_mount";
  mount.parent = link;
  mount.child = "peers_payload";
  robot.links.push_back({mount.child, payload});
  robot.joints.push_back(mount);
  return robot;
}

namespace {

bool chance(test::Random& random, double probability) {
  return test::uniform(random, 0.0, 1.0) < probability;
}

std::size_t random_index(test::Random& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

JointType random_joint_type(test::Random& random, bool planar_and_floating) {
  if (planar_and_floating && chance(random, 0.3)) {
    return chance(random, 0.5) ? JointType::kPlanar : JointType::kFloating;
  }
  const double dice = test::uniform(random, 0.0, 1.0);
  if (dice < 0.4) return JointType::kRevolute;
  return dice < 0.6 ? JointType::kContinuous : JointType::kPrismatic;
}

void add_dissipation(test::Random& random, JointDescription& joint) {
  joint.damping = test::uniform(random, 0.0, 2.0);
  joint.friction = test::uniform(random, 0.0, 1.0);
  joint.armature = test::uniform(random, 0.0, 0.2);
}

}  // namespace

Robot random_robot(const RandomRobotOptions& options) {
  test::Random random(options.seed);
  Robot robot;
  robot.name = "random_" + std::to_string(options.seed);
  robot.links.push_back({"link_0", test::random_mass_properties(random)});
  std::vector<std::string> single;  // joints of one number, which others may follow
  for (int moving = 0; moving < options.moving_joints;) {
    const std::size_t n = robot.links.size();
    JointDescription joint;
    joint.name = "joint_" + std::to_string(n);
    joint.child = "link_" + std::to_string(n);
    joint.parent = robot.links[options.branches ? random_index(random, n) : n - 1].name;
    joint.origin =
        Transform::from_pose(test::random_rotation(random), 0.3 * test::random_vector3(random));
    joint.axis = test::random_unit_vector(random);
    LinkDescription link{joint.child, test::random_mass_properties(random)};
    if (chance(random, 0.15)) {
      joint.type = JointType::kFixed;
      if (chance(random, 0.5)) link.mass_properties.reset();
    } else {
      joint.type = random_joint_type(random, options.planar_and_floating);
      ++moving;
    }
    if (velocity_count(joint.type) == 1) {
      add_dissipation(random, joint);
      if (options.mimic && !single.empty() && chance(random, 0.3)) {
        joint.mimic =
            MimicDescription{single[random_index(random, single.size())],
                             test::uniform(random, -2.0, 2.0), test::uniform(random, -1.0, 1.0)};
      }
      single.push_back(joint.name);
    }
    robot.links.push_back(link);
    robot.joints.push_back(joint);
  }
  return robot;
}

Model build(const Robot& robot, const BuildOptions& options) {
  ModelBuilder builder(robot.name);
  for (const LinkDescription& link : robot.links) builder.add_link(link);
  for (const JointDescription& joint : robot.joints) builder.add_joint(joint);
  return builder.build(options);
}

std::string read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> shipped_robots() {
  return urdf_files(std::filesystem::path(SPATIAL_DYNAMICS_SOURCE_DIR) / "urdf");
}

std::vector<std::string> shared_robots() {
  return urdf_files(std::filesystem::path(SPATIAL_DYNAMICS_SOURCE_DIR) / ".." / "shared" /
                    "robots");
}

}  // namespace spatial_dynamics::peers
