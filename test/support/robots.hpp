// The robots on which every law is tested: seeded random trees of all kinds and the shipped URDFs.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::test {

/// A robot that is built when a test needs it.
struct NamedRobot {
  std::string name;  ///< letters, digits and _ only, so that it can end a test's name
  std::function<Model()> make;
  // Stored here, because building every model at the start of each test takes long.
  bool mimic = false;  ///< joints may copy others
  bool large = false;  ///< more than 40 joints
};
inline void PrintTo(const NamedRobot& robot, std::ostream* os) { *os << robot.name; }

/// Path of a shipped URDF: urdf/<name>.urdf.
std::string shipped_urdf(const std::string& name);
/// Path of a public robot, ../shared/robots/<name>.urdf beside the source tree; empty if it does
/// not exist.
std::string public_robot(const std::string& name);
/// The text of the shipped file.
std::string urdf_text(const std::string& name);

/// Random trees of 1 to 120 joints (branches, fixed joints, mimic, planar, floating, floating base)
/// and every shipped robot.
std::vector<NamedRobot> all_robots();
/// Robots whose coordinates are all single numbers, so that q' = v.
std::vector<NamedRobot> single_dof_robots();
/// Random trees on a floating base without friction or rotors: only gravity acts on them from
/// outside.
std::vector<NamedRobot> free_robots();

/// A hinge that moves no inertia: no torque determines its acceleration.
Model massless_hinge();
/// A base, a rod on a hinge, and a tip on a second hinge with the given mass properties; both
/// hinges rotate about `axis`.
ModelBuilder rod_and_tip(const std::optional<MassProperties>& tip,
                         const Vector3& axis = Vector3::UnitY());

}  // namespace spatial_dynamics::test
