// Where forces do not determine accelerations, forward dynamics is reported as not available.
#include <string>

#include "model/rejections.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

ModelBuilder massless_tip() {
  ModelBuilder builder = chain(2);
  return builder.add_link("tip").add_joint(
      joint_between("wrist", JointType::kContinuous, "l2", "tip"));
}

MassProperties point_mass(const Vector3& where) { return {1.0, where, Matrix3::Zero()}; }

BuildOptions with_armature(const std::string& joint) {
  BuildOptions options;
  options.armature[joint] = 1e-4;
  return options;
}

void expect_singular(const Model& model, const std::string& joint) {
  EXPECT_NE(model.why_forward_dynamics_fails().find("joint '" + joint + "'"), std::string::npos)
      << "'" << model.why_forward_dynamics_fails() << "'";
}

void expect_regular(const Model& model) { EXPECT_EQ(model.why_forward_dynamics_fails(), ""); }

TEST(Singularity, MassOnEveryBodyIsRegular) { expect_regular(chain(5).build()); }

TEST(Singularity, RandomTreesAreRegular) {
  Random random(7);
  for (const int joints : {1, 5, 40}) {
    for (const bool mimic : {false, true}) {
      RandomTreeOptions options;
      options.joints = joints;
      options.multi_dof = !mimic;
      options.mimic = mimic && joints > 1;
      options.floating_base = true;
      options.dissipation = false;
      expect_regular(random_tree(random, options));
    }
  }
}

TEST(Singularity, MovingTipWithoutMassIsReportedWithItsRemedies) {
  ModelReport report;
  const Model model = massless_tip().build({}, &report);
  EXPECT_EQ(model.nv(), 3);
  for (const char* word : {"link 'tip'", "<inertial>", "lock", "armature", "joint 'wrist'"}) {
    EXPECT_NE(model.why_forward_dynamics_fails().find(word), std::string::npos) << word;
  }
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'tip'", "no mass"));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'wrist'",
                          "forward dynamics is not available"));
}

TEST(Singularity, MovingTipOfAUrdfWithZeroMassIsReported) {
  std::string urdf = replaced(kPendulum, "value=\"1.5\"", "value=\"0\"");
  urdf = replaced(urdf, "ixx=\"0.1\"", "ixx=\"0\"");
  urdf = replaced(urdf, "iyy=\"0.1\"", "iyy=\"0\"");
  urdf = replaced(urdf, "izz=\"0.01\"", "izz=\"0\"");
  ModelReport report;
  expect_singular(load_urdf(urdf, {}, &report), "hinge");
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'rod'", "no mass"));
}

TEST(Singularity, IsRejectedWhereForwardDynamicsIsRequired) {
  BuildOptions options;
  options.require_forward_dynamics = true;
  expect_rejected([&] { static_cast<void>(massless_tip().build(options)); }, "joint 'wrist'",
                  {"link 'tip'", "armature"});
  EXPECT_EQ(chain(3).build(options).nv(), 3);
}

TEST(Singularity, ArmatureMakesAMasslessTipRegular) {
  expect_regular(massless_tip().build(with_armature("wrist")));
  expect_singular(massless_tip().build(with_armature("j1")), "wrist");
}

TEST(Singularity, LockingMakesAMasslessTipRegular) {
  BuildOptions options;
  options.locked["wrist"] = 0.3;
  expect_regular(massless_tip().build(options));
}

TEST(Singularity, PayloadMakesAMasslessTipRegular) {
  BuildOptions options;
  options.payloads.push_back({"tip", ball()});
  expect_regular(massless_tip().build(options));
}

TEST(Singularity, MasslessTipOnAFixedJointIsRegular) {
  ModelReport report;
  ModelBuilder builder = chain(2);
  builder.add_link("tip").add_joint(joint_between("flange", JointType::kFixed, "l2", "tip"));
  expect_regular(builder.build({}, &report));
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "link 'tip'", ""));
  EXPECT_FALSE(has_finding(report, Severity::kInfo, "link 'tip'", ""));
}

TEST(Singularity, PointMassOnTheAxisOfItsJointIsSingular) {
  ModelBuilder builder("r");
  builder.add_link("base").add_link("bob", point_mass({0.0, 0.0, 2.0}));
  builder.add_joint(joint_between("spin", JointType::kContinuous, "base", "bob"));
  expect_singular(builder.build(), "spin");
  ModelBuilder beside("r");
  beside.add_link("base").add_link("bob", point_mass({1e-3, 0.0, 2.0}));
  beside.add_joint(joint_between("spin", JointType::kContinuous, "base", "bob"));
  expect_regular(beside.build());
}

TEST(Singularity, PointMassOnASliderIsRegular) {
  ModelBuilder builder("r");
  builder.add_link("base").add_link("bob", point_mass({0.0, 0.0, 2.0}));
  builder.add_joint(joint_between("slide", JointType::kPrismatic, "base", "bob"));
  expect_regular(builder.build());
}

TEST(Singularity, MasslessLinkBetweenCrossedAxesIsRegular) {
  ModelReport report;
  ModelBuilder builder("cardan");
  builder.add_link("base").add_link("cross").add_link("shaft", ball());
  builder.add_joint(joint_between("first", JointType::kContinuous, "base", "cross"));
  JointDescription second = joint_between("second", JointType::kContinuous, "cross", "shaft");
  second.axis = Vector3::UnitX();
  builder.add_joint(second);
  expect_regular(builder.build({}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "link 'cross'", "no mass"));
}

TEST(Singularity, MasslessLinkBetweenEqualAxesIsSingular) {
  ModelBuilder builder("r");
  builder.add_link("base").add_link("middle").add_link("end", ball());
  builder.add_joint(joint_between("first", JointType::kContinuous, "base", "middle"));
  builder.add_joint(joint_between("second", JointType::kContinuous, "middle", "end"));
  expect_singular(builder.build(), "first");
  expect_regular(builder.build(with_armature("first")));
}

TEST(Singularity, FloatingMasslessBaseWithOneArmIsSingular) {
  BuildOptions options;
  options.floating_base = true;
  expect_singular(chain(1).build(options), kFloatingBase);
  BuildOptions payload = options;
  payload.payloads.push_back({"base", ball()});
  expect_regular(chain(1).build(payload));
}

TEST(Singularity, FloatingPointMassIsSingular) {
  BuildOptions options;
  options.floating_base = true;
  expect_singular(ModelBuilder("r").add_link("bob", point_mass(Vector3::Zero())).build(options),
                  kFloatingBase);
  expect_regular(ModelBuilder("r").add_link("bob", ball()).build(options));
}

ModelBuilder gripper(bool leader_has_mass, bool follower_has_mass) {
  const auto massless = std::optional<MassProperties>();
  ModelBuilder builder("gripper");
  builder.add_link("palm");
  builder.add_link({"left", leader_has_mass ? ball() : massless});
  builder.add_link({"right", follower_has_mass ? ball() : massless});
  builder.add_joint(joint_between("leader", JointType::kContinuous, "palm", "left"));
  JointDescription follower = joint_between("follower", JointType::kContinuous, "palm", "right");
  follower.mimic = MimicDescription{"leader", -1.0, 0.0};
  return builder.add_joint(follower);
}

TEST(Singularity, MimicGroupNeedsMassOnOneOfItsMembers) {
  expect_regular(gripper(true, true).build());
  expect_regular(gripper(true, false).build());
  expect_regular(gripper(false, true).build());
  expect_singular(gripper(false, false).build(), "leader");
  expect_regular(gripper(false, false).build(with_armature("follower")));
}

}  // namespace
}  // namespace spatial_dynamics::test
