#include "model/describe_model.hpp"

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

/// A chain of two joints; tests change its model and origins.
struct TwoJoints {
  std::vector<JointDescription> joints;
  Model model;
  Origins origins{{kNone, 0, 1}, {"base", "l1", "l2"}, {false, false, false}};
  std::vector<JointRole> roles{2};

  explicit TwoJoints(JointType type = JointType::kContinuous)
      : joints{joint_between("j1", type, "base", "l1"), joint_between("j2", type, "l1", "l2")},
        model(chain(2, type).build()) {}

  [[nodiscard]] ModelReport report() const { return describe_model(model, origins, joints, roles); }
  [[nodiscard]] std::vector<Finding> findings(const Singularity& singularity = {}) const {
    std::vector<Finding> found;
    add_findings(model, origins, singularity, found);
    return found;
  }
};

TEST(DescribeModel, CoordinatesAreNamedWithTheLinksOfTheirJoints) {
  const ModelReport report = TwoJoints().report();
  EXPECT_EQ(report.name, "chain");
  EXPECT_EQ(report.dof, 2);
  EXPECT_EQ(report.total_mass, 2.0);
  ASSERT_EQ(report.joints.size(), 2U);
  EXPECT_EQ(report.joints[1].name, "j2");
  EXPECT_EQ(report.joints[1].type, JointType::kContinuous);
  EXPECT_EQ(report.joints[1].parent, "l1");
  EXPECT_EQ(report.joints[1].child, "l2");
  EXPECT_TRUE(report.lumped.empty() && report.mimic.empty() && report.locked.empty());
}

TEST(DescribeModel, JointsWithoutDescriptionHaveTheWorldAsParent) {
  TwoJoints two;
  two.origins.description[1] = kNone;
  EXPECT_EQ(two.report().joints[0].parent, "world");
  EXPECT_EQ(two.report().joints[0].child, "l1");
}

TEST(DescribeModel, LinksWithoutABodyFrameAreLumped) {
  TwoJoints two;
  two.model = chain(2)
                  .add_link("tool")
                  .add_joint(joint_between("glue", JointType::kFixed, "l2", "tool"))
                  .build();
  const ModelReport report = two.report();
  ASSERT_EQ(report.lumped.size(), 1U);
  EXPECT_EQ(report.lumped[0].link, "tool");
  EXPECT_EQ(report.lumped[0].into, "l2");
}

TEST(DescribeModel, HeldJointsAreLockedUnlessTheyAreFixed) {
  TwoJoints two;
  two.roles[0].kind = JointRole::Kind::kHeld;
  two.roles[0].position = 0.25;
  two.roles[1].kind = JointRole::Kind::kHeld;
  two.joints[1].type = JointType::kFixed;
  const ModelReport report = two.report();
  ASSERT_EQ(report.locked.size(), 1U);
  EXPECT_EQ(report.locked[0].joint, "j1");
  EXPECT_EQ(report.locked[0].value, 0.25);
}

TEST(DescribeModel, MimicJointsAreListedWithTheirLeader) {
  TwoJoints two;
  JointDescription follower = joint_between("j3", JointType::kContinuous, "l2", "l3");
  follower.mimic = MimicDescription{"j1", -2.0, 0.5};
  two.model = chain(2).add_link("l3", ball()).add_joint(follower).build();
  two.origins = {{kNone, 0, 1, 2}, {"base", "l1", "l2", "l3"}, std::vector<bool>(4, false)};
  const ModelReport report = two.report();
  EXPECT_EQ(report.joints.size(), 2U);
  ASSERT_EQ(report.mimic.size(), 1U);
  EXPECT_EQ(report.mimic[0].joint, "j3");
  EXPECT_EQ(report.mimic[0].leader, "j1");
  EXPECT_EQ(report.mimic[0].ratio, -2.0);
  EXPECT_EQ(report.mimic[0].offset, 0.5);
}

TEST(AddFindings, JointsWithoutEffortLimitAreWarnedOf) {
  ModelReport report;
  report.findings = TwoJoints().findings();
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'j1'", "no effort limit"));
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "joint 'j2'", "unlimited in: velocity"));
}

TEST(AddFindings, PlanarJointsWithoutEffortLimitAndFloatingJointsAreWarnedOf) {
  for (const auto& [type, what] : {std::make_pair(JointType::kPlanar, "effort"),
                                   std::make_pair(JointType::kFloating, "floats")}) {
    ModelReport report;
    report.findings = TwoJoints(type).findings();
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'j2'", what)) << to_string(type);
  }
}

TEST(AddFindings, MovingLinksWithoutMassAreReportedByPosition) {
  TwoJoints two;
  two.model = ModelBuilder("light")
                  .add_link("base")
                  .add_link("l1")
                  .add_link("l2")
                  .add_joint(two.joints[0])
                  .add_joint(two.joints[1])
                  .build();
  ModelReport report;
  report.findings = two.findings();
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "link 'l1'", "between two joints"));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'l2'", "at the end of joint 'j2'"));
}

/// base - j1 - l1 (without mass) - j2, `apart` metres along x - l2.
ModelBuilder with_light_link(double apart, double last_mass = 1.0) {
  JointDescription second = joint_between("j2", JointType::kContinuous, "l1", "l2");
  second.origin = Transform::translation({apart, 0, 0});
  MassProperties last = ball();
  last.mass = last_mass;
  if (last_mass == 0.0) last.inertia_about_com.setZero();
  return ModelBuilder("light")
      .add_link("base", ball())
      .add_link("l1")
      .add_link("l2", last)
      .add_joint(joint_between("j1", JointType::kContinuous, "base", "l1"))
      .add_joint(second);
}

TEST(AddFindings, MasslessLinkBetweenSeparatedJointsIsWarnedOf) {
  ModelReport report;
  static_cast<void>(with_light_link(0.3).build({}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'l1'", "joints that are apart"));
  static_cast<void>(with_light_link(0.0).build({}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "link 'l1'", "between two joints"));
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "link 'l1'", ""));
}

TEST(AddFindings, RobotWithoutMassIsWarnedOfOnceAndFirst) {
  ModelReport report;
  static_cast<void>(with_light_link(0.3, 0.0).build({}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "robot 'light'", "0 kg"));
  EXPECT_EQ(report.findings.front().element, "robot 'light'");
  static_cast<void>(with_light_link(0.3).build({}, &report));
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "robot 'light'", ""));
}

TEST(AddFindings, WarnsOfAMasslessBodyWithAShapeAndOfNoOther) {
  for (const char* shaped : {"l1", "cover", "l2", "base"}) {
    ModelReport report;
    const auto link = [shaped](const char* name, const MassProperties& mass_properties) {
      return LinkDescription{name, mass_properties, name == std::string(shaped)};
    };
    static_cast<void>(ModelBuilder("light")
                          .add_link(link("base", ball()))
                          .add_link(link("l1", {}))
                          .add_link(link("cover", {}))
                          .add_link(link("l2", ball()))
                          .add_joint(joint_between("j1", JointType::kContinuous, "base", "l1"))
                          .add_joint(joint_between("weld", JointType::kFixed, "l1", "cover"))
                          .add_joint(joint_between("j2", JointType::kContinuous, "l1", "l2"))
                          .build({}, &report));
    const bool of_l1 = shaped == std::string("l1") || shaped == std::string("cover");
    EXPECT_EQ(has_finding(report, Severity::kWarning, "link 'l1'", "a shape"), of_l1) << shaped;
    EXPECT_EQ(has_finding(report, Severity::kInfo, "link 'l1'", "between two joints"), !of_l1);
  }
}

TEST(AddFindings, RevoluteLimitsInDegreesAreWarnedOf) {
  for (const auto& [limit, odd] :
       {std::make_pair(180.0, true), std::make_pair(2.0 * M_PI, false),
        std::make_pair(12.57, false), std::make_pair(kUnlimited, false)}) {
    TwoJoints two(JointType::kRevolute);
    for (JointDescription& joint : two.joints) joint.limits = {-limit, limit, 1.0, 1.0};
    two.model = ModelBuilder("turns")
                    .add_link("base")
                    .add_link("l1", ball())
                    .add_link("l2", ball())
                    .add_joint(two.joints[0])
                    .add_joint(two.joints[1])
                    .build();
    ModelReport report;
    report.findings = two.findings();
    EXPECT_EQ(has_finding(report, Severity::kWarning, "joint 'j2'", "degrees?"), odd) << limit;
  }
}

TEST(AddFindings, ASingularityIsAWarningWithItsRemedy) {
  ModelReport report;
  report.findings = TwoJoints().findings({"joint 'j2'", "nothing resists it", "add armature"});
  ASSERT_TRUE(has_finding(report, Severity::kWarning, "joint 'j2'",
                          "forward dynamics is not available: nothing resists it"));
  EXPECT_EQ(report.findings.back().remedy, "add armature");
}

}  // namespace
}  // namespace spatial_dynamics::test
