#include "spatial_dynamics/runtime/coordinates.hpp"

#include <gtest/gtest.h>

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

TEST(ScalarCoordinates, HaveTheNamesOfTheirJoints) {
  const auto c = scalar_coordinates(robot(JointType::kPrismatic, false));
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].name, "turn");
  EXPECT_TRUE(c[0].wraps);
  EXPECT_EQ(c[1].name, "second");
  EXPECT_FALSE(c[1].wraps);
  EXPECT_EQ(c[1].q, 1);
}

TEST(ScalarCoordinates, OfAPlanarJointAreThree) {
  const auto c = scalar_coordinates(robot(JointType::kPlanar, false));
  ASSERT_EQ(c.size(), 4u);
  EXPECT_EQ(c[1].name, "second/x");
  EXPECT_EQ(c[2].name, "second/y");
  EXPECT_EQ(c[3].name, "second/theta");
  EXPECT_TRUE(c[3].wraps);
}

TEST(ScalarCoordinates, LeaveOutAFloatingBase) {
  const Model model = robot(JointType::kRevolute, true);
  EXPECT_TRUE(has_floating_base(model));
  const auto c = scalar_coordinates(model);
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].q, 7);
  EXPECT_EQ(c[0].v, 6);
}

TEST(ScalarCoordinates, OfAnotherFloatingJointDoNotExist) {
  EXPECT_FALSE(has_floating_base(robot(JointType::kFloating, false)));
  try {
    scalar_coordinates(robot(JointType::kFloating, false));
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.element(), "joint 'second'");
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
