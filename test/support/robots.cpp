#include "support/robots.hpp"

#include <fstream>
#include <iterator>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

NamedRobot random_robot(const std::string& name, const RandomTreeOptions& options) {
  return {name,
          [name, options] {
            // The name is the seed, so each robot has a different tree, the same in every run.
            std::seed_seq seed(name.begin(), name.end());
            Random random(seed);
            return random_tree(random, options);
          },
          options.mimic, options.joints > 40};
}

NamedRobot shipped_robot(const std::string& name, bool floating_base) {
  return {name + (floating_base ? "_floating" : ""),
          [name, floating_base] {
            LoadOptions options;
            options.floating_base = floating_base;
            return load_urdf_file(shipped_urdf(name), options);
          },
          name == "gripper"};
}

}  // namespace

std::string shipped_urdf(const std::string& name) {
  return std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/" + name + ".urdf";
}

std::string public_robot(const std::string& name) {
  const std::string path =
      std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/../shared/robots/" + name + ".urdf";
  return std::ifstream(path) ? path : "";
}

std::string urdf_text(const std::string& name) {
  std::ifstream file(shipped_urdf(name));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<NamedRobot> all_robots() {
  std::vector<NamedRobot> robots;
  for (const int joints : {1, 2, 3, 7, 20, 60, 120}) {
    const std::string n = std::to_string(joints);
    robots.push_back(random_robot("tree" + n, {joints}));
    robots.push_back(random_robot("tree" + n + "_all_kinds", {joints, true, true}));
    robots.push_back(random_robot("tree" + n + "_floating", {joints, true, true, false, true}));
    if (joints > 1) {
      robots.push_back(random_robot("tree" + n + "_mimic", {joints, true, true, true}));
      robots.push_back(
          random_robot("tree" + n + "_mimic_floating", {joints, false, true, true, true}));
    }
  }
  for (const char* name :
       {"double_pendulum", "arm6", "arm7", "gripper", "gantry", "quadruped", "humanoid"}) {
    robots.push_back(shipped_robot(name, false));
    robots.push_back(shipped_robot(name, true));
  }
  return robots;
}

std::vector<NamedRobot> free_robots() {
  std::vector<NamedRobot> robots;
  for (const int joints : {1, 3, 7, 20}) {
    const std::string n = std::to_string(joints);
    robots.push_back(random_robot(
        "free" + n, {joints, true, true, /*mimic*/ false, /*floating_base*/ true, false}));
    robots.push_back(random_robot("free" + n + "_mimic", {joints, false, true, true, true, false}));
  }
  return robots;
}

std::vector<NamedRobot> single_dof_robots() {
  std::vector<NamedRobot> robots;
  for (const int joints : {1, 2, 4, 8}) {
    const std::string n = std::to_string(joints);
    robots.push_back(random_robot("chain" + n, {joints}));
    if (joints > 1)
      robots.push_back(random_robot("chain" + n + "_mimic", {joints, false, true, true}));
  }
  for (const char* name : {"double_pendulum", "arm6", "arm7", "gripper", "quadruped", "humanoid"}) {
    robots.push_back(shipped_robot(name, false));
  }
  return robots;
}

Model massless_hinge() {
  JointDescription joint;
  joint.name = "hinge";
  joint.type = JointType::kContinuous;
  joint.parent = "base";
  joint.child = "nothing";
  return ModelBuilder("massless").add_link("base").add_link("nothing").add_joint(joint).build();
}

ModelBuilder rod_and_tip(const std::optional<MassProperties>& tip, const Vector3& axis) {
  JointDescription shoulder, wrist;
  shoulder.name = "shoulder";
  shoulder.parent = "base";
  shoulder.child = "rod";
  wrist.name = "wrist";
  wrist.parent = "rod";
  wrist.child = "tip";
  wrist.origin = Transform::translation({0, 0, 1});
  for (JointDescription* joint : {&shoulder, &wrist}) {
    joint->type = JointType::kContinuous;
    joint->axis = axis;
  }
  ModelBuilder builder("rod_and_tip");
  builder.add_link("base").add_link("rod", {1.0, {0, 0, 0.5}, 0.1 * Matrix3::Identity()});
  builder.add_link({"tip", tip}).add_joint(shoulder).add_joint(wrist);
  return builder;
}

}  // namespace spatial_dynamics::test
