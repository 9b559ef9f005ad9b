// Which inertial parameters stay with a link. The other kernel tests check that torques do not
// change.
#include "kernels/kernel_test.hpp"

namespace spatial_dynamics::test {
namespace {

class RegroupTest : public KernelTest {
 protected:
  const CompactLayout& layout = compact.layout();
};
INSTANTIATE_TEST_SUITE_P(Robots, RegroupTest, ::testing::ValuesIn(kernel_robots()), robot_name);

TEST_P(RegroupTest, ARevoluteJointsLinkKeepsSevenParameters) {
  for (int j = 0; j < layout.joints; ++j) {
    if (layout.flags[j] & (kPrismaticJoint | kFreeJoint)) continue;
    EXPECT_EQ(layout.extras[j].mass, 0.0);
    EXPECT_EQ(layout.extras[j].hz, 0.0);
    EXPECT_EQ(layout.extras[j].Jzz, 0.0);
  }
}

TEST_P(RegroupTest, APrismaticJointsLinkKeepsMassAndFirstMoments) {
  for (int j = 0; j < layout.joints; ++j) {
    if (!(layout.flags[j] & kPrismaticJoint)) continue;
    const CompactLink& link = layout.links[j];
    for (const double moment : {link.Jxx, link.Jyy, link.Ixy, link.Ixz, link.Iyz}) {
      EXPECT_EQ(moment, 0.0);
    }
    EXPECT_EQ(layout.extras[j].Jzz, 0.0);
    EXPECT_GE(layout.extras[j].mass, model.inertia(j + 1).mass);
  }
}

TEST_P(RegroupTest, MassIsConservedUnlessTheBaseIsFixed) {
  double given = 0.0, kept = 0.0;
  bool floats = true;
  for (int j = 0; j < layout.joints; ++j) {
    given += model.inertia(j + 1).mass;
    kept += layout.extras[j].mass;
    if (layout.parent[j] < 0 && !(layout.flags[j] & (kFreeJoint | kPrismaticJoint))) floats = false;
  }
  if (floats) {
    EXPECT_NEAR(kept, given, kTolerance * given);
  } else {
    EXPECT_LE(kept, given * (1.0 + kTolerance));
  }
}

TEST_P(RegroupTest, RecordsAfterTheLastLinkAreZero) {
  for (int j = layout.joints; j < (layout.joints + 3) / 4 * 4; ++j) {
    EXPECT_EQ(layout.flags[j], 0);
    EXPECT_EQ(layout.links[j].Jxx, 0.0);
    EXPECT_EQ(layout.extras[j].mass, 0.0);
  }
}

// A drill that rotates about its axis, z. Its smallest moment is a difference of large numbers and
// must be exact to rounding.
TEST(Regroup, ASlenderLinkKeepsTheDigitsOfItsSmallestMoment) {
  for (const double small : {1e-2, 1e-5, 1e-8}) {
    MassProperties drill;
    drill.mass = 1.0;
    drill.inertia_about_com = Vector3(0.3, 0.3 + 0.7 * small, small).asDiagonal();
    JointDescription joint;
    joint.name = "spindle";
    joint.type = JointType::kContinuous;
    joint.parent = "base";
    joint.child = "drill";
    joint.axis = Vector3::UnitZ();
    const Model model =
        ModelBuilder("drill").add_link("base").add_link("drill", drill).add_joint(joint).build();
    const CompactModel drilling = compile(model);
    const CompactLink& link = drilling.layout().links[0];
    EXPECT_NEAR(link.Jxx + link.Jyy, small, 4.0 * kEpsilon * small);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
