#include "spatial_dynamics/model/edit_urdf.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

const char* const kArm = R"(<?xml version="1.0"?>
<!-- mine -->
<robot name="arm">
  <link name="base"/>
  <joint name='hinge' type="continuous">
    <parent link="base"/><child link="rod"/>
    <axis xyz="0 1 0"/> <!-- sideways -->
  </joint>
  <link name="rod">
    <inertial>
      <!-- weighed -->
      <mass value='2.0' />
      <inertia izz="0.01" ixx="0.1"  ixy="0" ixz="0" iyy="0.1" iyz="0"/>
    </inertial>
  </link>
</robot>
)";

MassProperties some_mass() {
  Matrix3 inertia;
  inertia << 0.11, 0.001, 0.002, 0.001, 0.12, 0.003, 0.002, 0.003, 0.05;
  return {2.5, Vector3(0.01, -0.02, 0.5), inertia};
}

TEST(EditUrdfTest, ChangesOnlyNumbersAndAddsWhatIsMissing) {
  EXPECT_EQ(edit_urdf(kArm, {{{"rod", some_mass()}}, {{"hinge", 0.3, 0.2}}}),
            R"(<?xml version="1.0"?>
<!-- mine -->
<robot name="arm">
  <link name="base"/>
  <joint name='hinge' type="continuous">
    <parent link="base"/><child link="rod"/>
    <axis xyz="0 1 0"/>
    <dynamics damping="0.3" friction="0.2"/> <!-- sideways -->
  </joint>
  <link name="rod">
    <inertial>
      <!-- weighed -->
      <mass value='2.5' />
      <inertia izz="0.05" ixx="0.11"  ixy="0.001" ixz="0.002" iyy="0.12" iyz="0.003"/>
      <origin xyz="0.01 -0.02 0.5"/>
    </inertial>
  </link>
</robot>
)");
}

TEST(EditUrdfTest, NoChangeIsTheSameText) {
  EXPECT_EQ(edit_urdf(kArm, {}), kArm);
  EXPECT_EQ(edit_urdf(urdf_text("humanoid"), {}), urdf_text("humanoid"));
}

TEST(EditUrdfTest, AddsAnInertialToALinkWithoutOne) {
  const std::string text = edit_urdf(kArm, {{{"base", some_mass()}}, {}});
  const Model model = load_urdf(text);
  EXPECT_LT((model.link(0).inertia.com() - some_mass().com).norm(), 1e-7);
  EXPECT_NE(text.find("  <link name=\"base\">\n    <inertial>"), std::string::npos) << text;
}

TEST(EditUrdfTest, WritesTheInertiaAlongTheAxesOfItsOrigin) {
  for (const char* rotation : {R"(rpy="0.3 -0.7 1.1")", R"(rpy='0 1.5707963267948966 0.2')"}) {
    std::string text = kArm;
    text.replace(text.find("<mass"), 0, "<origin " + std::string(rotation) + " xyz=\"1 2 3\"/>");
    const std::string edited = edit_urdf(text, {{{"rod", some_mass()}}, {}});
    EXPECT_NE(edited.find(rotation), std::string::npos);
    const Model model = load_urdf(edited);
    const Inertia& inertia = model.link(model.find_link("rod")).inertia;
    EXPECT_LT((inertia.inertia_about_com() - some_mass().inertia_about_com).norm(), 1e-7);
    EXPECT_LT((inertia.com() - some_mass().com).norm(), 1e-7);
  }
}

TEST(EditUrdfTest, EveryLinkAndJointOfTheShippedRobotsCanChange) {
  for (const char* name : {"arm6", "arm7", "gantry", "gripper", "humanoid", "quadruped"}) {
    const std::string text = urdf_text(name);
    const Model model = load_urdf(text);
    UrdfChanges changes;
    for (Index l = 0; l < model.link_count(); ++l) {
      changes.links.push_back({model.link(l).name, some_mass()});
    }
    for (Index j = 1; j < model.body_count(); ++j) {
      changes.joints.push_back({model.joint(j).name, 0.25, 0.125});
    }
    const Model edited = load_urdf(edit_urdf(text, changes));
    ASSERT_EQ(edited.link_count(), model.link_count());
    for (Index l = 0; l < edited.link_count(); ++l) {
      EXPECT_NEAR(edited.link(l).inertia.mass, 2.5, 1e-9);
    }
    for (Index j = 1; j < edited.body_count(); ++j) {
      EXPECT_EQ(edited.joint(j).damping, 0.25);
      EXPECT_EQ(edited.joint(j).friction, 0.125);
    }
  }
}

TEST(EditUrdfTest, RejectsUnknownNames) {
  EXPECT_THROW(edit_urdf(kArm, {{{"tool", some_mass()}}, {}}), ModelError);
  EXPECT_THROW(edit_urdf(kArm, {{}, {{"elbow", 0.1, 0.1}}}), ModelError);
  EXPECT_THROW(edit_urdf("<robot", {}), ModelError);
}

}  // namespace
}  // namespace spatial_dynamics::test
