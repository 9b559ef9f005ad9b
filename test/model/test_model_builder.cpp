// From descriptions to bodies: merging, coordinates, the floating base, payloads.
#include "spatial_dynamics/model/model_builder.hpp"

#include <string>

#include "model/rejections.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr JointType kWeld = JointType::kFixed;

/// A homogeneous box around its centre of mass.
MassProperties box(double mass, const Vector3& size, const Vector3& com) {
  const Vector3 s = size.cwiseAbs2();
  const Vector3 moments(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return {mass, com, Matrix3((mass / 12.0 * moments).asDiagonal())};
}

void expect_equal(const Inertia& actual, const Inertia& expected) {
  EXPECT_TRUE(actual.matrix().isApprox(expected.matrix(), 1e-14)) << actual.matrix() << "\n\n"
                                                                  << expected.matrix();
}

TEST(Merging, TwoFixedHalvesEqualTheWhole) {
  // A box of 2 x 1 x 1, cut across its length; the second half is described in another frame.
  const Transform to_half =
      Transform::from_pose(axis_rotation(Vector3::UnitX(), 0.5 * M_PI), {1.0, 0.0, 0.0});
  JointDescription weld = joint_between("weld", kWeld, "left", "right");
  weld.origin = to_half;
  const Model model = ModelBuilder("box")
                          .add_link("base")
                          .add_link("left", box(3.0, {1, 1, 1}, {0.5, 0, 0}))
                          .add_link("right", box(3.0, {1, 1, 1}, {0.5, 0, 0}))
                          .add_joint(joint_between("hinge", JointType::kContinuous, "base", "left"))
                          .add_joint(weld)
                          .build();
  const MassProperties whole = box(6.0, {2, 1, 1}, {1, 0, 0});
  ASSERT_EQ(model.body_count(), 2);
  expect_equal(model.inertia(1), Inertia::from_com(whole.mass, whole.com, whole.inertia_about_com));
}

TEST(Merging, KeepsEveryLinkWithItsNameFrameAndInertia) {
  JointDescription weld = joint_between("weld", kWeld, "l1", "camera");
  weld.origin = Transform::from_pose(rpy_rotation(0.1, 0.2, 0.3), {0.1, 0.2, 0.3});
  JointDescription second = joint_between("second_weld", kWeld, "camera", "lens");
  second.origin = Transform::from_pose(rpy_rotation(-0.5, 0.0, 1.0), {0.0, 0.0, 0.4});
  const Model model = chain(2)
                          .add_link("camera", ball())
                          .add_link("lens")
                          .add_joint(weld)
                          .add_joint(second)
                          .build();
  const Link& lens = model.link(model.find_link("lens"));
  EXPECT_EQ(lens.name, "lens");
  EXPECT_EQ(lens.body, model.find_joint("j1"));
  const Transform expected = second.origin * weld.origin;
  EXPECT_TRUE(lens.placement.E.isApprox(expected.E, 1e-15));
  EXPECT_TRUE(lens.placement.r.isApprox(expected.r, 1e-15));
  EXPECT_EQ(model.link(model.find_link("camera")).inertia.mass, 1.0);
  EXPECT_EQ(model.inertia(lens.body).mass, 2.0);
  EXPECT_EQ(model.find_joint("weld"), kNoIndex);
}

TEST(Merging, LinksFixedToTheRootMergeIntoTheBase) {
  JointDescription weld = joint_between("weld", kWeld, "world", "pedestal");
  weld.origin = Transform::translation({0, 0, 2});
  const Model model =
      ModelBuilder("r")
          .add_link("world")
          .add_link("pedestal", ball())
          .add_link("arm", ball())
          .add_joint(weld)
          .add_joint(joint_between("shoulder", JointType::kContinuous, "pedestal", "arm"))
          .build();
  EXPECT_EQ(model.body_count(), 2);
  EXPECT_EQ(model.link(model.find_link("pedestal")).body, 0);
  EXPECT_EQ(model.inertia(0).mass, 1.0);
  EXPECT_EQ(model.inertia(0).com(), Vector3(0, 0, 2));
  EXPECT_EQ(model.joint(1).placement.r, Vector3(0, 0, 2));
  EXPECT_EQ(model.total_mass(), 2.0);
}

TEST(Merging, JointsConnectToTheBodyOfTheirMergedParent) {
  JointDescription weld = joint_between("weld", kWeld, "l1", "flange");
  weld.origin = Transform::from_pose(axis_rotation(Vector3::UnitZ(), 0.5 * M_PI), {1, 0, 0});
  JointDescription tool = joint_between("tool_joint", JointType::kContinuous, "flange", "tool");
  tool.origin = Transform::translation({1, 0, 0});
  const Model model =
      chain(1).add_link("flange").add_link("tool", ball()).add_joint(weld).add_joint(tool).build();
  const Joint& joint = model.joint(model.find_joint("tool_joint"));
  EXPECT_EQ(joint.parent, model.find_joint("j1"));
  // One metre along the flange's x, which is l1's y.
  EXPECT_TRUE(joint.placement.r.isApprox(Vector3(1, 1, 0), 1e-15));
}

TEST(Coordinates, HaveTheWidthOfTheirJoints) {
  ModelBuilder builder("all kinds");
  builder.add_link("base");
  std::string parent = "base";
  for (const JointType type :
       {JointType::kRevolute, JointType::kPlanar, kWeld, JointType::kFloating,
        JointType::kPrismatic, JointType::kContinuous}) {
    const std::string name = to_string(type);
    builder.add_link(name, ball()).add_joint(joint_between(name, type, parent, name));
    parent = name;
  }
  const Model model = builder.build();
  EXPECT_EQ(model.nq(), 1 + 3 + 7 + 1 + 1);
  EXPECT_EQ(model.nv(), 1 + 3 + 6 + 1 + 1);
  const std::vector<Index> q_indices = {0, 1, 4, 11, 12};
  const std::vector<Index> v_indices = {0, 1, 4, 10, 11};
  ASSERT_EQ(model.coordinate_joints().size(), q_indices.size());
  for (std::size_t k = 0; k < q_indices.size(); ++k) {
    const Joint& joint = model.joint(model.coordinate_joints()[k]);
    EXPECT_EQ(joint.name, model.joint_names()[k]);
    EXPECT_EQ(joint.q_index, q_indices[k]);
    EXPECT_EQ(joint.v_index, v_indices[k]);
    EXPECT_EQ(joint.S.cols(), joint.nv);
  }
}

TEST(Coordinates, ParentsComeBeforeChildren) {
  Random random(3);
  RandomTreeOptions options;
  options.joints = 100;
  options.multi_dof = true;
  const Model model = random_tree(random, options);
  for (Index i = 1; i < model.body_count(); ++i) {
    EXPECT_LT(model.parent(i), i);
  }
  Index next = 0;
  for (const Index i : model.coordinate_joints()) {
    EXPECT_EQ(model.joint(i).v_index, next);
    next += model.joint(i).nv;
  }
  EXPECT_EQ(next, model.nv());
}

TEST(FloatingBase, IsTheFirstJointAndMovesTheRoot) {
  BuildOptions options;
  options.floating_base = true;
  ModelReport report;
  const Model model = chain(2).build(options, &report);
  EXPECT_EQ(model.nq(), 9);
  EXPECT_EQ(model.nv(), 8);
  EXPECT_EQ(model.joint_names(), (std::vector<std::string>{kFloatingBase, "j1", "j2"}));
  EXPECT_EQ(model.joint(1).type, JointType::kFloating);
  EXPECT_EQ(model.joint(1).parent, 0);
  EXPECT_EQ(model.link(model.find_link("base")).body, 1);
  EXPECT_EQ(model.inertia(0).mass, 0.0);
  ASSERT_EQ(report.joints.size(), 3U);
  EXPECT_EQ(report.joints[0].parent, "world");
  EXPECT_EQ(report.joints[0].child, "base");
  EXPECT_EQ(report.joints[1].parent, "base");
  EXPECT_TRUE(report.lumped.empty());
}

TEST(FloatingBase, NameIsReserved) {
  BuildOptions options;
  options.floating_base = true;
  const ModelBuilder builder =
      chain(1)
          .add_link("x", ball())
          .add_joint(joint_between(kFloatingBase, JointType::kContinuous, "l1", "x"));
  expect_rejected([&] { static_cast<void>(builder.build(options)); }, "joint 'floating_base'",
                  {"rename"});
  EXPECT_EQ(builder.build().nv(), 2);
}

TEST(FloatingBase, NameIsFreeForAFixedJoint) {  // hyq has such a joint
  BuildOptions options;
  options.floating_base = true;
  const ModelBuilder builder =
      chain(1)
          .add_link("x", ball())
          .add_joint(joint_between(kFloatingBase, JointType::kFixed, "l1", "x"));
  EXPECT_EQ(builder.build(options).nv(), 7);
}

TEST(FloatingBase, UnderALinkCalledWorldIsWarnedOf) {
  BuildOptions options;
  options.floating_base = true;
  ModelReport report;
  EXPECT_EQ(ModelBuilder("r").add_link("world", ball()).build(options, &report).nv(), 6);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'world'", "floats"));
}

TEST(Payload, EqualsALinkFixedThere) {
  Random random(11);
  const MassProperties load = random_mass_properties(random);
  const ModelBuilder arm = chain(3);
  BuildOptions options;
  options.payloads.push_back({"l3", load});
  const Model with_payload = arm.build(options);
  const Model with_link =
      chain(3).add_link("load", load).add_joint(joint_between("weld", kWeld, "l3", "load")).build();
  expect_equal(with_payload.inertia(3), with_link.inertia(3));
  EXPECT_DOUBLE_EQ(with_payload.total_mass(), with_link.total_mass());
}

TEST(Payload, SeveralOnOneLinkAddUp) {
  BuildOptions options;
  options.payloads = {{"l1", ball()}, {"l1", ball()}, {"l2", ball()}};
  const Model model = chain(2).build(options);
  EXPECT_EQ(model.inertia(1).mass, 3.0);
  EXPECT_EQ(model.inertia(2).mass, 2.0);
}

TEST(Options, AreApplied) {
  BuildOptions options;
  options.gravity = {1, 2, 3};
  options.friction_speed = 0.5;
  options.armature["j1"] = 0.125;
  const Model model = chain(2).build(options);
  EXPECT_EQ(model.gravity(), Vector3(1, 2, 3));
  EXPECT_EQ(model.friction_speed(), 0.5);
  EXPECT_EQ(model.joint(1).armature, 0.125);
  EXPECT_EQ(model.joint(2).armature, 0.0);
}

TEST(Options, WithoutFrictionRemoveDampingAndFriction) {
  LoadOptions options;
  options.friction = false;
  const Model model = load_urdf(kPendulum, options);
  EXPECT_EQ(model.joint(1).damping, 0.0);
  EXPECT_EQ(model.joint(1).friction, 0.0);
  EXPECT_EQ(load_urdf(kPendulum).joint(1).damping, 0.25);
}

TEST(Builder, BuildsRepeatedly) {
  const ModelBuilder builder = chain(3);
  BuildOptions locked;
  locked.locked["j2"] = 0.0;
  EXPECT_EQ(builder.build(locked).nv(), 2);
  EXPECT_EQ(builder.build().nv(), 3);
}

TEST(Builder, ASingleLinkIsARobot) {
  const Model model = ModelBuilder("rock").add_link("rock", ball()).build();
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.body_count(), 1);
  EXPECT_EQ(model.total_mass(), 1.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
