#include "peers/mujoco_tree.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace spatial_dynamics::peers {
namespace {

bool root_is_world(const Robot& robot) { return !robot.links[robot.root()].mass_properties; }

std::string joint_elements(const Robot& robot, const JointDescription& joint) {
  std::string slide = "<joint type='slide'/>";
  std::string hinge = "<joint type='hinge'/>";
  switch (joint.type) {
    case JointType::kFixed:
      return "";
    case JointType::kRevolute:
    case JointType::kContinuous:
      return hinge;
    case JointType::kPrismatic:
      return slide;
    case JointType::kPlanar:
      return slide + slide + hinge;
    case JointType::kFloating:
      return is_free(robot, joint) ? "<freejoint/>"
                                   : slide + slide + slide + "<joint type='ball'/>";
  }
  throw std::logic_error("unknown joint type");
}

std::string body_name(std::size_t link) { return "body" + std::to_string(link); }

/// Writes only the tree. The placeholder inertia is off centre and off axis, so that the compiler
/// does not treat a body as a simpler special case.
void write_body(const Robot& robot, std::size_t link, const std::string& joints,
                std::ostream& out) {
  const bool is_world = link == robot.root() && root_is_world(robot);
  if (!is_world) {
    out << "<body name='" << body_name(link) << "'>"
        << "<inertial pos='0.1 0.2 0.3' mass='1' fullinertia='1 1 1 0.1 0.1 0.1'/>" << joints;
  }
  for (const JointDescription& joint : robot.joints) {
    if (joint.parent != robot.links[link].name) continue;
    write_body(robot, robot.link(joint.child), joint_elements(robot, joint), out);
  }
  if (!is_world) out << "</body>";
}

mjModel* compile(const std::string& mjcf) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(mjcf.size())) != 0) {
    throw std::runtime_error("MuJoCo took no file");
  }
  std::copy(mjcf.begin(), mjcf.end(), static_cast<char*>(files->filedata[0]));
  std::array<char, 1000> error{};
  mjModel* model =
      mj_loadXML("robot.xml", files.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
  return model;
}

}  // namespace

bool is_free(const Robot& robot, const JointDescription& joint) {
  return joint.type == JointType::kFloating && root_is_world(robot) &&
         joint.parent == robot.links[robot.root()].name && joint.origin.E.isIdentity(0.0) &&
         joint.origin.r.isZero(0.0);
}

mjModel* compile_tree(const Robot& robot) {
  std::ostringstream mjcf;
  mjcf << "<mujoco><worldbody>";
  write_body(robot, robot.root(), "", mjcf);
  mjcf << "</worldbody></mujoco>";
  return compile(mjcf.str());
}

int body_of_link(const mjModel& model, const Robot& robot, std::size_t link) {
  if (link == robot.root() && root_is_world(robot)) return 0;
  return mj_name2id(&model, mjOBJ_BODY, body_name(link).c_str());
}

}  // namespace spatial_dynamics::peers
