#include "spatial_dynamics/model/model_report.hpp"

#include <set>
#include <string>

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

ModelReport report_on(const std::string& urdf, const LoadOptions& options = {}) {
  ModelReport report;
  static_cast<void>(load_urdf(urdf, options, &report));
  return report;
}

TEST(Report, DescribesTheCoordinates) {
  LoadOptions options;
  options.armature["hinge"] = 0.125;
  const ModelReport report = report_on(kPendulum, options);
  EXPECT_EQ(report.name, "pendulum");
  EXPECT_EQ(report.dof, 1);
  EXPECT_EQ(report.total_mass, 1.5);
  ASSERT_EQ(report.joints.size(), 1U);
  const CoordinateEntry& joint = report.joints[0];
  EXPECT_EQ(joint.name, "hinge");
  EXPECT_EQ(joint.type, JointType::kRevolute);
  EXPECT_EQ(joint.parent, "base");
  EXPECT_EQ(joint.child, "rod");
  EXPECT_EQ(joint.limits.lower, -3.0);
  EXPECT_EQ(joint.limits.upper, 2.0);
  EXPECT_EQ(joint.limits.effort, 10.0);
  EXPECT_EQ(joint.limits.velocity, 5.0);
  EXPECT_EQ(joint.damping, 0.25);
  EXPECT_EQ(joint.friction, 0.5);
  EXPECT_EQ(joint.armature, 0.125);
}

TEST(Report, HasNoFindingsOnAValidRobot) { EXPECT_TRUE(report_on(kPendulum).findings.empty()); }

TEST(Report, TotalMassCountsEveryLinkAndPayload) {
  LoadOptions options;
  options.payloads.push_back({"rod", ball()});
  const std::string base_with_mass =
      replaced(kPendulum, "<link name=\"base\"/>",
               "<link name=\"base\"><inertial><mass value=\"4\"/><inertia ixx=\"1\" ixy=\"0\" "
               "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>");
  EXPECT_EQ(report_on(base_with_mass, options).total_mass, 4.0 + 1.5 + 1.0);
}

TEST(Report, ListsLumpedLinksWithTheLinkTheyMergedInto) {
  ModelReport report;
  const Model model = chain(2)
                          .add_link("tool", ball())
                          .add_link("pin")
                          .add_link("stand")
                          .add_joint(joint_between("a", JointType::kFixed, "l2", "tool"))
                          .add_joint(joint_between("b", JointType::kFixed, "tool", "pin"))
                          .add_joint(joint_between("c", JointType::kFixed, "base", "stand"))
                          .build({}, &report);
  std::set<std::pair<std::string, std::string>> lumped;
  for (const LumpedLink& entry : report.lumped) {
    lumped.emplace(entry.link, entry.into);
  }
  EXPECT_EQ(lumped, (std::set<std::pair<std::string, std::string>>{
                        {"tool", "l2"}, {"pin", "l2"}, {"stand", "base"}}));
  EXPECT_EQ(model.link_count(), 6);
}

TEST(Report, WarnsOfAnEffortLimitOfZero) {
  const ModelReport report = report_on(replaced(kPendulum, "effort=\"10\"", "effort=\"0\""));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "effort limit is 0"));
  EXPECT_NE(report.findings[0].remedy.find("effort_limits"), std::string::npos);
}

TEST(Report, WarnsOfAVelocityLimitOfZero) {
  const ModelReport report = report_on(replaced(kPendulum, "velocity=\"5\"", "velocity=\"0\""));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "velocity limit is 0"));
  EXPECT_EQ(report.findings.at(0).code, FindingCode::kZeroVelocityLimit);
}

TEST(Report, WarnsOfAJointWithoutEffortLimit) {
  const std::string continuous =
      replaced(replaced(kPendulum, "\"revolute\"", "\"continuous\""),
               "<limit lower=\"-3\" upper=\"2\" effort=\"10\" velocity=\"5\"/>", "");
  EXPECT_TRUE(
      has_finding(report_on(continuous), Severity::kWarning, "joint 'hinge'", "no effort limit"));
  EXPECT_TRUE(has_finding(report_on(replaced(kPendulum, "effort=\"10\"", "effort=\"inf\"")),
                          Severity::kWarning, "joint 'hinge'", "no effort limit"));
}

TEST(Report, WarnsOfAPlanarJointWithoutEffortLimit) {
  const std::string planar =
      replaced(replaced(kPendulum, "\"revolute\"", "\"planar\""),
               "<limit lower=\"-3\" upper=\"2\" effort=\"10\" velocity=\"5\"/>", "");
  EXPECT_TRUE(
      has_finding(report_on(planar), Severity::kWarning, "joint 'hinge'", "no effort limit"));
}

TEST(Report, WarnsOfFloatingJointBeyondTheBase) {
  ModelReport report;
  const auto robot = [] {
    return chain(1)
        .add_link("ball", ball())
        .add_joint(joint_between("loose", JointType::kFloating, "l1", "ball"));
  };
  static_cast<void>(robot().build({}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'loose'", "no message carries"));
  LoadOptions options;
  options.floating_base = true;
  static_cast<void>(chain(1).build(options, &report));
  EXPECT_FALSE(
      has_finding(report, Severity::kWarning, "joint 'floating_base'", "no message carries"));
}

TEST(Report, WarnsOfMimicBeyondItsLimits) {
  const auto gripper = [](const std::string& multiplier) {
    const auto finger = [](const std::string& name, const std::string& more) {
      return "<link name=\"" + name +
             "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
             "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"to_" +
             name + "\" type=\"prismatic\"><parent link=\"palm\"/><child link=\"" + name +
             "\"/><axis xyz=\"0 1 0\"/><limit lower=\"0\" upper=\"0.05\" effort=\"20\" "
             "velocity=\"0.3\"/>" +
             more + "</joint>";
    };
    return report_on(
        "<robot name=\"gripper\"><link name=\"palm\"/>" + finger("left", "") +
        finger("right", "<mimic joint=\"to_left\" multiplier=\"" + multiplier + "\"/>") +
        "</robot>");
  };
  EXPECT_TRUE(gripper("1").findings.empty());
  EXPECT_TRUE(has_finding(gripper("2"), Severity::kWarning, "joint 'to_right'",
                          "from 0 to 0.1, beyond its own limits 0 and 0.05"));
  EXPECT_TRUE(has_finding(gripper("-1"), Severity::kWarning, "joint 'to_right'", "from -0.05 to"));
}

TEST(Report, WarnsOfAnEmptyPositionRange) {
  EXPECT_TRUE(has_finding(report_on(replaced(kPendulum, "lower=\"-3\" upper=\"2\" ", "")),
                          Severity::kWarning, "joint 'hinge'", "both 0"));
}

TEST(Report, OfAnEarlierBuildIsReplaced) {
  ModelReport report = report_on(replaced(kPendulum, "effort=\"10\"", "effort=\"0\""));
  static_cast<void>(load_urdf(kPendulum, {}, &report));
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.joints.size(), 1U);
}

TEST(Report, SeveritiesHaveNames) {
  EXPECT_STREQ(to_string(Severity::kInfo), "info");
  EXPECT_STREQ(to_string(Severity::kWarning), "warning");
}

TEST(Report, FindingsHaveCodesWithStableNames) {
  const ModelReport report = report_on(replaced(kPendulum, "effort=\"10\"", "effort=\"0\""));
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].code, FindingCode::kZeroEffortLimit);
  EXPECT_STREQ(to_string(report.findings[0].code), "zero_effort_limit");
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(kLastFindingCode); ++code) {
    names.insert(to_string(static_cast<FindingCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kLastFindingCode) + 1);
  EXPECT_EQ(names.count("unknown"), 0U);
}

TEST(Report, LengthsMassesInertiasAndLimitsMayHaveWrongUnits) {
  EXPECT_TRUE(suggests_wrong_units(FindingCode::kMillimetres));
  EXPECT_TRUE(suggests_wrong_units(FindingCode::kGrams));
  EXPECT_TRUE(suggests_wrong_units(FindingCode::kImplausibleInertia));
  EXPECT_TRUE(suggests_wrong_units(FindingCode::kLimitsInDegrees));
  EXPECT_FALSE(suggests_wrong_units(FindingCode::kWeightExceedsEffort));
}

}  // namespace
}  // namespace spatial_dynamics::test
