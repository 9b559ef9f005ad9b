// A robot as plain lists of links and joints, from which the Model and each peer's model are built
// independently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::peers {

struct Robot {
  std::string name;
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;

  /// Index of a link; throws if no link has this name.
  [[nodiscard]] std::size_t link(const std::string& link_name) const;
  /// Index of the root link; throws unless there is exactly one.
  [[nodiscard]] std::size_t root() const;
  /// Indices of the joints, each after its parent's joint, siblings in the order of the list, depth
  /// first.
  [[nodiscard]] std::vector<std::size_t> joints_from_root() const;
};

/// Reads a URDF by its specification, independently of the library's loader. Does not check the
/// document.
Robot parse_urdf(const std::string& xml);

/// The same robot on a massless link "world", to which its root is connected by the joint
/// "floating_base".
Robot with_floating_base(const Robot& robot);
/// The same robot with a joint replaced by a fixed joint at `position`.
Robot with_locked_joint(Robot robot, const std::string& joint, double position);
/// The same robot with a further link fixed to `link`.
Robot with_payload(Robot robot, const std::string& link, const MassProperties& payload);

struct RandomRobotOptions {
  std::uint64_t seed = 1;
  int moving_joints = 6;
  bool branches = true;              ///< else a chain
  bool planar_and_floating = false;  ///< joints of several degrees of freedom among the others
  bool mimic = false;
};
/// A robot of revolute, continuous, prismatic and fixed joints, arbitrary placements and axes,
/// physical inertias, damping, friction and armature.
Robot random_robot(const RandomRobotOptions& options);

/// The Model of this robot.
Model build(const Robot& robot, const BuildOptions& options = {});

std::string read_text_file(const std::string& path);
/// Paths of the URDF files that the project ships, sorted.
std::vector<std::string> shipped_robots();
/// Paths of the URDF files in ../shared/robots beside the source tree, sorted; empty if the folder
/// is missing.
std::vector<std::string> shared_robots();

}  // namespace spatial_dynamics::peers
