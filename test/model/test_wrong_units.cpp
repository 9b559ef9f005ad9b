// Lengths in millimetres, masses in grams, inertias in other units.
#include "model/wrong_units.hpp"

#include "model/rejections.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// Factors on the numbers of an arm in SI units.
struct Units {
  double length = 1.0, mass = 1.0, inertia = 1.0;
};

/// Three aluminium rods of 0.4 m and 2 kg on hinges.
std::vector<Finding> findings_on_arm(const Units& units) {
  MassProperties rod;
  rod.mass = 2.0 * units.mass;
  rod.com = Vector3(0.2 * units.length, 0.0, 0.0);
  rod.inertia_about_com.diagonal() = units.inertia * Vector3(0.002, 0.03, 0.03);
  ModelBuilder builder("arm");
  builder.add_link("l0", rod);
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "l" + std::to_string(i);
    builder.add_link(name, rod);
    JointDescription joint = joint_between("j" + std::to_string(i), JointType::kContinuous,
                                           "l" + std::to_string(i - 1), name);
    joint.origin = Transform::translation({0.4 * units.length, 0.0, 0.0});
    builder.add_joint(joint);
  }
  std::vector<Finding> findings;
  find_wrong_units(builder.build(), findings);
  return findings;
}

bool has_code(const std::vector<Finding>& findings, FindingCode code) {
  return std::any_of(findings.begin(), findings.end(),
                     [code](const Finding& finding) { return finding.code == code; });
}

TEST(WrongUnits, OfAnArmInSiUnitsAreNotFound) { EXPECT_TRUE(findings_on_arm({}).empty()); }

TEST(WrongUnits, FindsMillimetresOnceWithTheLongestLength) {
  const std::vector<Finding> findings = findings_on_arm({1e3, 1.0, 1.0});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::kMillimetres);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].element, "joint 'j2'");
  EXPECT_NE(findings[0].what.find("400 m from the joint before it"), std::string::npos);
  EXPECT_NE(findings[0].what.find("millimetres?"), std::string::npos);
  // Two joints, and the centres of mass of three links.
  EXPECT_NE(findings[0].what.find("5 lengths"), std::string::npos) << findings[0].what;
}

TEST(WrongUnits, FindsGramsWithInertiasInAnyUnit) {
  EXPECT_TRUE(has_code(findings_on_arm({1.0, 1e3, 1.0}), FindingCode::kGrams));     // kg m^2
  EXPECT_TRUE(has_code(findings_on_arm({1.0, 1e3, 1e3}), FindingCode::kGrams));     // g m^2
  EXPECT_FALSE(has_code(findings_on_arm({1.0, 10.0, 10.0}), FindingCode::kGrams));  // a heavy arm
}

TEST(WrongUnits, FindsInertiasInSmallerUnits) {
  for (const double factor : {1e4, 1e6, 1e9}) {  // kg cm^2, kg mm^2, g mm^2
    ModelReport report;
    MassProperties rod{2.0, Vector3(0.2, 0.0, 0.0), factor * 0.03 * Matrix3::Identity()};
    JointDescription second = joint_between("j2", JointType::kContinuous, "l1", "l2");
    second.origin = Transform::translation({0.4, 0.0, 0.0});
    static_cast<void>(ModelBuilder("arm")
                          .add_link("base")
                          .add_link("l1", rod)
                          .add_link("l2", rod)
                          .add_joint(joint_between("j1", JointType::kContinuous, "base", "l1"))
                          .add_joint(second)
                          .build({}, &report));
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'l1'", "another unit?")) << factor;
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'l2'", "another unit?")) << factor;
  }
  EXPECT_FALSE(has_code(findings_on_arm({1.0, 1.0, 10.0}), FindingCode::kImplausibleInertia));
}

TEST(WrongUnits, FindsPrismaticRangesInMillimetres) {
  for (const auto& [upper, is_wrong] : {std::pair(0.04, false), std::pair(8.0, false),
                                        std::pair(40.0, true), std::pair(1e6, false)}) {
    JointDescription slide = joint_between("slide", JointType::kPrismatic, "l1", "finger");
    slide.limits.lower = 0.0;
    slide.limits.upper = upper;
    slide.origin = Transform::translation({0.1, 0.0, 0.0});
    const Model model = ModelBuilder("gripper")
                            .add_link("base")
                            .add_link("l1", ball())
                            .add_link("finger", ball())
                            .add_joint(joint_between("j1", JointType::kContinuous, "base", "l1"))
                            .add_joint(slide)
                            .build();
    std::vector<Finding> findings;
    find_wrong_units(model, findings);
    EXPECT_EQ(has_code(findings, FindingCode::kMillimetres), is_wrong) << upper;
  }
}

TEST(WrongUnits, RailsMayBeLong) {
  for (const auto& [upper, is_wrong] : {std::pair(30.0, false), std::pair(3000.0, true)}) {
    JointDescription rail = joint_between("rail", JointType::kPrismatic, "world", "cart");
    rail.limits.lower = 0.0;
    rail.limits.upper = upper;
    const Model model =
        ModelBuilder("cart").add_link("world").add_link("cart", ball()).add_joint(rail).build();
    std::vector<Finding> findings;
    find_wrong_units(model, findings);
    EXPECT_EQ(has_code(findings, FindingCode::kMillimetres), is_wrong) << upper;
  }
}

TEST(WrongUnits, PlaceOfTheRobotInTheWorldIsNotItsSize) {
  JointDescription first = joint_between("j1", JointType::kContinuous, "world", "l1");
  first.origin = Transform::translation({250.0, 40.0, 0.0});
  const Model model =
      ModelBuilder("far").add_link("world").add_link("l1", ball()).add_joint(first).build();
  std::vector<Finding> findings;
  find_wrong_units(model, findings);
  EXPECT_TRUE(findings.empty());
}

}  // namespace
}  // namespace spatial_dynamics::test
