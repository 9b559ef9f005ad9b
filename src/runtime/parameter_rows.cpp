#include "runtime/parameter_rows.hpp"

namespace spatial_dynamics {
namespace {

/// What the URDF lacks: tools that the robot carries, joints that are held.
void add_attachments(ParameterRows& rows) {
  rows.texts("payloads.links", {}, kAtStart,
             "Links that carry a payload, such as a gripper that the URDF lacks; payloads on one "
             "link add up.");
  rows.numbers("payloads.masses", {}, 0.0, kHuge, "kg", kAtStart,
               "Masses of the payloads, one per link of payloads.links.");
  rows.numbers("payloads.centers", {}, -1000.0, 1000.0, "m", kAtStart,
               "Centres of mass in the frames of the links, three numbers per payload; empty: the "
               "origins.");
  rows.numbers("payloads.inertias", {}, -kHuge, kHuge, "kg m^2", kAtStart,
               "Inertias about the centres of mass, ixx iyy izz ixy ixz iyz of each payload; "
               "empty: point masses.");
  rows.texts("locked.joints", {}, kAtStart,
             "Joints that are held at a position; they are not coordinates of the node, and their "
             "states are ignored.");
  rows.numbers("locked.positions", {}, -kHuge, kHuge, "rad or m", kAtStart,
               "Positions of the locked joints, one per joint of locked.joints.");
}

}  // namespace

void add_model_rows(ParameterRows& rows, bool live_gravity) {
  rows.flag("floating_base", false, kAtStart,
            "The root link moves freely in the world instead of being fixed to it.");
  rows.flag("strict", false, kAtStart,
            "Reject physically inconsistent inertias instead of warning about them.");
  rows.per_joint("armature", {}, 0.0, kHuge, "kg m^2 or kg", kAtStart,
                 "Rotor inertias, reflected to the joints: none, one for all, or one per joint.");
  rows.number("friction_speed", kDefaultFrictionSpeed, 1e-9, 1000.0, "rad/s or m/s", kAtStart,
              "Speed around zero within which Coulomb friction decreases to zero.");
  rows.gravity(live_gravity);
  add_attachments(rows);
}

void add_robot_rows(ParameterRows& rows, bool live_gravity) {
  rows.group("The robot");
  rows.text("robot_description",
            "The URDF as text. If neither this nor urdf_file is set, the node waits for the topic "
            "robot_description.");
  rows.text("urdf_file", "Path of the URDF file.");
  add_model_rows(rows, live_gravity);
}

}  // namespace spatial_dynamics
