#include "spatial_dynamics/model/coordinates.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::test {
namespace {

JointDescription joint(const std::string& name, JointType type, const std::string& parent,
                       const std::string& child) {
  JointDescription result;
  result.name = name;
  result.type = type;
  result.parent = parent;
  result.child = child;
  return result;
}

Model robot(JointType second, bool floating_base) {
  const MassProperties mass{1.0, {0, 0, 0.1}, 0.01 * Matrix3::Identity()};
  BuildOptions options;
  options.floating_base = floating_base;
  return ModelBuilder("robot")
      .add_link("base", mass)
      .add_link("arm", mass)
      .add_link("hand", mass)
      .add_joint(joint("turn", JointType::kContinuous, "base", "arm"))
      .add_joint(joint("second", second, "arm", "hand"))
      .build(options);
}

TEST(ScalarCoordinates, HaveNamesOfJoints) {
  const auto c = scalar_coordinates(robot(JointType::kPrismatic, false));
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].name, "turn");
  EXPECT_TRUE(c[0].wraps);
  EXPECT_EQ(c[1].name, "second");
  EXPECT_FALSE(c[1].wraps);
  EXPECT_EQ(c[1].q, 1);
}

TEST(ScalarCoordinates, PlanarJointHasThree) {
  const auto c = scalar_coordinates(robot(JointType::kPlanar, false));
  ASSERT_EQ(c.size(), 4u);
  EXPECT_EQ(c[1].name, "second/x");
  EXPECT_EQ(c[2].name, "second/y");
  EXPECT_EQ(c[3].name, "second/theta");
  EXPECT_TRUE(c[3].wraps);
}

TEST(ScalarCoordinates, ExcludeFloatingBase) {
  const Model model = robot(JointType::kRevolute, true);
  EXPECT_TRUE(has_floating_base(model));
  const auto c = scalar_coordinates(model);
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].q, 7);
  EXPECT_EQ(c[0].v, 6);
}

TEST(ScalarCoordinates, RejectFloatingJointBeyondTheBase) {
  EXPECT_FALSE(has_floating_base(robot(JointType::kFloating, false)));
  try {
    scalar_coordinates(robot(JointType::kFloating, false));
    FAIL() << "the floating joint was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.element(), "joint 'second'");
  }
}

std::string one_joint(const char* type, const char* root) {
  return std::string("<robot name='r'><link name='w'/>") + root +
         "<link name='base'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
         "iyz='0' "
         "izz='1'/></inertial></link><link name='arm'><inertial><mass value='1'/><inertia ixx='1' "
         "ixy='0' "
         "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' type='" +
         type +
         "'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' "
         "effort='9' "
         "velocity='1'/></joint></robot>";
}
constexpr const char* kBolted =
    "<joint name='root' type='fixed'><parent link='w'/><child link='base'/></joint>";
constexpr const char* kFree =
    "<joint name='root' type='floating'><parent link='w'/><child link='base'/></joint>";

TEST(CoordinatesOf, SameAsRequiresEqualNameTypeAndIndex) {
  const auto coordinates = [](const char* type, const char* root) {
    return Coordinates(load_urdf(one_joint(type, root)));
  };
  const Coordinates hinge = coordinates("revolute", kBolted);
  EXPECT_TRUE(hinge.same_as(coordinates("revolute", kBolted)));
  EXPECT_FALSE(hinge.same_as(coordinates("prismatic", kBolted))) << "the units differ";
  EXPECT_FALSE(hinge.same_as(coordinates("continuous", kBolted)));
  EXPECT_FALSE(hinge.same_as(coordinates("revolute", kFree)));
  EXPECT_FALSE(coordinates("revolute", kFree).same_as(hinge));
}

}  // namespace
}  // namespace spatial_dynamics::test
