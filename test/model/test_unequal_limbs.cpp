// Left and right limbs that differ.
#include <functional>

#include "model/rejections.hpp"
#include "model/unequal_limbs.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(RightOfLeft, ReplacesTheMarksOfTheLeftSide) {
  for (const auto& [left, right] :
       {std::pair("left_arm", "right_arm"), std::pair("arm_left_2", "arm_right_2"),
        std::pair("l_foot", "r_foot"), std::pair("foot_L", "foot_R"),
        std::pair("FL_foot", "FR_foot"), std::pair("rl_hip", "rr_hip"),
        std::pair("LF_HAA", "RF_HAA"), std::pair("LeftHand", "RightHand"),
        std::pair("leftHand", "rightHand"), std::pair("LShoulderPitch", "RShoulderPitch"),
        std::pair("LEFT-KNEE", "RIGHT-KNEE"), std::pair("LFThigh", "RFThigh"),
        std::pair("frontLeftThigh", "frontRightThigh"), std::pair("thighL1", "thighR1"),
        std::pair("LFFoot", "RFFoot"), std::pair("armL", "armR")}) {
    EXPECT_EQ(right_of_left(left, false), right) << left;
    EXPECT_EQ(right_of_left(left, true), right) << left;
  }
  EXPECT_EQ(right_of_left("l_hand_l_finger", false), "r_hand_l_finger");
  EXPECT_EQ(right_of_left("l_hand_l_finger", true), "r_hand_r_finger");
  for (const char* name :
       {"right_arm", "lower_leg", "link1", "LINK", "elbow", "Lift", "", "cleft", "LIFT", "Lfoot"}) {
    EXPECT_EQ(right_of_left(name, false), "") << name;
  }
}

struct Arm {
  MassProperties link;
  JointDescription joint;
};
using Change = std::function<void(Arm&)>;

/// Two arms and two ears, mirrored at the plane y = 0. The left arm is changed.
std::vector<Finding> findings_with(const Change& change) {
  ModelBuilder builder("torso");
  builder.add_link("torso");
  for (const bool left : {true, false}) {
    const double side = left ? 1.0 : -1.0;
    const std::string name = left ? "left_arm" : "right_arm";
    Arm arm;
    arm.link = {2.0, Vector3(0.01, 0.05 * side, -0.2), Matrix3::Identity()};
    arm.link.inertia_about_com.diagonal() = Vector3(0.02, 0.021, 0.002);
    arm.joint = joint_between(left ? "left_shoulder" : "right_shoulder", JointType::kRevolute,
                              "torso", name);
    arm.joint.origin = Transform::translation({0.0, 0.3 * side, 0.4});
    arm.joint.limits = {left ? -0.5 : -2.0, left ? 2.0 : 0.5, 3.0, 40.0};
    if (left) change(arm);
    builder.add_link(name, arm.link);
    builder.add_joint(arm.joint);
    const std::string ear = left ? "left_ear" : "right_ear";
    builder.add_link(ear, {0.3, Vector3(0.0, 0.02 * side, 0.0), 1e-3 * Matrix3::Identity()});
    builder.add_joint(joint_between(ear + "_joint", JointType::kFixed, "torso", ear));
  }
  std::vector<Finding> findings;
  find_unequal_limbs(builder.build(), findings);
  return findings;
}

TEST(UnequalLimbs, MirroredLimbsAreEqual) {
  EXPECT_TRUE(findings_with([](Arm&) {}).empty());
  // Rounding, other axes of the link, and limits that are not mirrored are no differences.
  EXPECT_TRUE(findings_with([](Arm& arm) { arm.link.mass = 2.05; }).empty());
  EXPECT_TRUE(findings_with([](Arm& arm) {
                arm.joint.limits.lower = -2.0;
                arm.joint.limits.upper = 0.5;
              }).empty());
  EXPECT_TRUE(findings_with([](Arm& arm) {
                const Matrix3 R = Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3.0).toRotationMatrix();
                arm.joint.origin = Transform::from_pose(R, {0.0, 0.3, 0.4});
                arm.joint.axis = R.transpose() * arm.joint.axis;
                arm.link.com = R.transpose() * arm.link.com;
                arm.link.inertia_about_com = R.transpose() * arm.link.inertia_about_com * R;
              }).empty());
}

TEST(UnequalLimbs, DifferencesOfLinksAreFound) {
  const std::vector<std::pair<Change, std::string>> cases{
      {[](Arm& arm) { arm.link.mass = 2.2; }, "its mass of 2.2 kg differs from 2 kg"},
      {[](Arm& arm) { arm.link.inertia_about_com.diagonal().z() = 0.004; }, "moment of inertia"},
      {[](Arm& arm) { arm.link.com.z() = -0.3; }, "m from its origin"},
      {[](Arm& arm) { arm.link.com.y() = -0.05; }, "mirror image"},
  };
  for (const auto& [change, words] : cases) {
    const std::vector<Finding> findings = findings_with(change);
    ASSERT_EQ(findings.size(), 1U) << words;
    EXPECT_EQ(findings[0].code, FindingCode::kMirroredLinksDiffer);
    EXPECT_EQ(findings[0].element, "link 'left_arm'");
    EXPECT_NE(findings[0].what.find(words), std::string::npos) << findings[0].what;
    EXPECT_NE(findings[0].what.find("link 'right_arm'"), std::string::npos) << findings[0].what;
  }
}

TEST(UnequalLimbs, DifferencesOfJointsAreFound) {
  const std::vector<std::pair<Change, std::string>> cases{
      {[](Arm& arm) { arm.joint.limits.effort = 4.0; }, "effort limit of 4 differs from 40"},
      {[](Arm& arm) { arm.joint.limits.velocity = 6.0; }, "velocity limit of 6"},
      {[](Arm& arm) { arm.joint.limits.upper = 1.0; }, "its range of -0.5 to 1"},
      {[](Arm& arm) { arm.joint.type = JointType::kPrismatic; }, "not of the type"},
  };
  for (const auto& [change, words] : cases) {
    const std::vector<Finding> findings = findings_with(change);
    ASSERT_EQ(findings.size(), 1U) << words;
    EXPECT_EQ(findings[0].code, FindingCode::kMirroredJointsDiffer);
    EXPECT_EQ(findings[0].element, "joint 'left_shoulder'");
    EXPECT_NE(findings[0].what.find(words), std::string::npos) << findings[0].what;
  }
}

TEST(UnequalLimbs, EqualPartsOnBothSidesNeedNotBeMirrored) {
  ModelBuilder builder("two_equal_arms");
  builder.add_link("torso");
  for (const std::string side : {"left", "right"}) {
    builder.add_link(side + "_arm", {2.0, Vector3(0.0, 0.05, -0.2), Matrix3::Identity()});
    JointDescription joint =
        joint_between(side + "_shoulder", JointType::kRevolute, "torso", side + "_arm");
    joint.origin = Transform::translation({0.0, side == "left" ? 0.3 : -0.3, 0.4});
    joint.limits = {-1.0, 1.0, 3.0, 40.0};
    builder.add_joint(joint);
  }
  std::vector<Finding> findings;
  find_unequal_limbs(builder.build(), findings);
  EXPECT_TRUE(findings.empty()) << findings[0].what;
}

TEST(UnequalLimbs, JointsOfOneLimbAreNoSides) {
  JointDescription first = joint_between("joint_l", JointType::kRevolute, "base", "link_l");
  JointDescription second = joint_between("joint_r", JointType::kRevolute, "link_l", "link_r");
  first.limits = {-1.0, 1.0, 3.0, 400.0};
  second.limits = {-2.0, 1.0, 5.0, 40.0};
  const Model model = ModelBuilder("arm")
                          .add_link("base")
                          .add_link("link_l", {5.0, Vector3::Zero(), Matrix3::Identity()})
                          .add_link("link_r", {2.0, Vector3::Zero(), Matrix3::Identity()})
                          .add_joint(first)
                          .add_joint(second)
                          .build();
  std::vector<Finding> findings;
  find_unequal_limbs(model, findings);
  EXPECT_TRUE(findings.empty()) << findings[0].what;
}

}  // namespace
}  // namespace spatial_dynamics::test
