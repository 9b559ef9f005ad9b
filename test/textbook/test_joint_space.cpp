#include "textbook/joint_space.hpp"

#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

/// A body on one joint of this type, with its inertia as articulated inertia.
struct Case {
  Model model;
  textbook::Data data;
  explicit Case(JointType type, double armature, const MassProperties& mass)
      : model(build(type, armature, mass)), data(model) {
    data.IA[1] = ArticulatedInertia(model.inertia(1));
  }
  static Model build(JointType type, double armature, const MassProperties& mass) {
    JointDescription joint;
    joint.name = "joint";
    joint.type = type;
    joint.parent = "base";
    joint.child = "body";
    joint.axis = Vector3(0.6, 0.0, 0.8);
    joint.armature = armature;
    return ModelBuilder("case").add_link("base").add_link("body", mass).add_joint(joint).build();
  }
};

TEST(JointFactor, InertiaAlongAFreeJointIsZero) {
  Random random(1);
  for (const JointType type :
       {JointType::kContinuous, JointType::kPrismatic, JointType::kPlanar, JointType::kFloating}) {
    Case c(type, 0.0, random_mass_properties(random));
    ASSERT_TRUE(factorise_joint(c.model.joint(1), c.data, 1));
    const MatrixXd felt = inertia_through_joint(c.data, 1).matrix() * c.model.joint(1).S;
    EXPECT_LT(largest(felt), 1e-13) << to_string(type);  // numbers of size one
  }
}

TEST(JointFactor, HeavyRotorTransmitsTheWholeInertia) {
  // A very heavy rotor locks the joint: it transmits the whole inertia.
  Random random(2);
  Case c(JointType::kContinuous, 1e9, random_mass_properties(random));
  ASSERT_TRUE(factorise_joint(c.model.joint(1), c.data, 1));
  EXPECT_LT(largest(inertia_through_joint(c.data, 1).matrix() - c.data.IA[1].matrix()), 1e-8);
}

TEST(JointFactor, RejectsJointWithoutInertia) {
  Random random(3);
  Case c(JointType::kContinuous, 0.0, random_mass_properties(random));
  c.data.IA[1] = ArticulatedInertia::Zero();
  EXPECT_FALSE(factorise_joint(c.model.joint(1), c.data, 1));
}

}  // namespace
}  // namespace spatial_dynamics::test
