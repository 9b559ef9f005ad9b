// Invalid numbers and names are rejected by the builder, and thereby by the loader.
#include <functional>
#include <limits>
#include <string>

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

using ChangeMass = std::function<void(MassProperties&)>;
using ChangeJoint = std::function<void(JointDescription&)>;

Model build_with_mass(const ChangeMass& change, const BuildOptions& options = {},
                      ModelReport* report = nullptr) {
  MassProperties mass_properties = ball();
  change(mass_properties);
  return ModelBuilder("r")
      .add_link("base")
      .add_link("body", mass_properties)
      .add_joint(joint_between("j", JointType::kRevolute, "base", "body"))
      .build(options, report);
}

Model build_with_joint(const ChangeJoint& change, const BuildOptions& options = {},
                       ModelReport* report = nullptr) {
  JointDescription joint = joint_between("j", JointType::kRevolute, "base", "body");
  change(joint);
  return ModelBuilder("r")
      .add_link("base")
      .add_link("body", ball())
      .add_joint(joint)
      .build(options, report);
}

void expect_mass_rejected(const ChangeMass& change, const std::vector<std::string>& words) {
  expect_rejected([&] { static_cast<void>(build_with_mass(change)); }, "link 'body'", words);
}
void expect_joint_rejected(const ChangeJoint& change, const std::vector<std::string>& words) {
  expect_rejected([&] { static_cast<void>(build_with_joint(change)); }, "joint 'j'", words);
}

/// Sets a number of the mass properties or of the joint.
struct MassSetter {
  const char* name;
  void (*set)(MassProperties&, double);
};
struct JointSetter {
  const char* name;
  void (*set)(JointDescription&, double);
};

const MassSetter kMassNumbers[] = {
    {"mass", [](MassProperties& m, double x) { m.mass = x; }},
    {"centre of mass", [](MassProperties& m, double x) { m.com.y() = x; }},
    {"inertia", [](MassProperties& m, double x) { m.inertia_about_com(2, 2) = x; }},
};
const JointSetter kJointNumbers[] = {
    {"origin", [](JointDescription& j, double x) { j.origin.r.x() = x; }},
    {"rotation", [](JointDescription& j, double x) { j.origin.E(1, 2) = x; }},
    {"axis", [](JointDescription& j, double x) { j.axis.z() = x; }},
    {"damping", [](JointDescription& j, double x) { j.damping = x; }},
    {"friction", [](JointDescription& j, double x) { j.friction = x; }},
    {"armature", [](JointDescription& j, double x) { j.armature = x; }},
    {"multiplier",
     [](JointDescription& j, double x) {
       j.mimic = {"j", x, 0.0};
     }},
    {"offset",
     [](JointDescription& j, double x) {
       j.mimic = {"j", 1.0, x};
     }},
};

TEST(Numbers, NonFiniteOrBeyond1e15AreRejected) {
  for (const double bad : {kNan, kUnlimited, -kUnlimited, 1.1e15, -1.1e15}) {
    for (const MassSetter& number : kMassNumbers) {
      SCOPED_TRACE(number.name);
      expect_mass_rejected([&](MassProperties& m) { number.set(m, bad); }, {number.name, "finite"});
    }
    for (const JointSetter& number : kJointNumbers) {
      SCOPED_TRACE(number.name);
      expect_joint_rejected([&](JointDescription& j) { number.set(j, bad); },
                            {number.name, "finite"});
    }
  }
}

TEST(Numbers, OfMagnitude1e15AreAccepted) {
  EXPECT_EQ(build_with_mass([](MassProperties& m) { m.mass = 1e15; }).total_mass(), 1e15);
}

TEST(Numbers, NegativeOnesAreRejectedWhereForbidden) {
  expect_mass_rejected([](MassProperties& m) { m.mass = -1.0; }, {"mass", "negative"});
  expect_joint_rejected([](JointDescription& j) { j.damping = -1e-9; }, {"damping", "negative"});
  expect_joint_rejected([](JointDescription& j) { j.friction = -1.0; }, {"friction", "negative"});
  expect_joint_rejected([](JointDescription& j) { j.armature = -1.0; }, {"armature", "negative"});
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value=\"-1.5\""), "link 'rod'",
                       {"negative"});
  expect_urdf_rejected(replaced(kPendulum, "damping=\"0.25\"", "damping=\"-1\""), "joint 'hinge'",
                       {"negative"});
}

TEST(MassProperties, InertiaWithoutMassIsRejected) {
  expect_mass_rejected([](MassProperties& m) { m.mass = 0.0; }, {"inertia but no mass"});
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value=\"0\""), "link 'rod'",
                       {"inertia but no mass"});
}

TEST(MassProperties, NegativeMomentIsRejected) {
  expect_mass_rejected(
      [](MassProperties& m) { m.inertia_about_com.diagonal() = Vector3(0.1, 0.1, -0.01); },
      {"negative moment"});
  expect_urdf_rejected(replaced(kPendulum, "ixy=\"0\"", "ixy=\"0.2\""), "link 'rod'",
                       {"negative moment"});
}

/// A body on a hinge, with a part fixed to it and another part fixed to the base.
ModelBuilder with_parts(const MassProperties& on_body, const MassProperties& on_base) {
  return ModelBuilder("r")
      .add_link("base")
      .add_link("body", ball())
      .add_link("part", on_body)
      .add_link("antenna", on_base)
      .add_joint(joint_between("j", JointType::kContinuous, "base", "body"))
      .add_joint(joint_between("weld", JointType::kFixed, "body", "part"))
      .add_joint(joint_between("mast", JointType::kFixed, "base", "antenna"));
}

/// Of a ball whose moments are 0.1 kg m^2: `share` of them, without mass or negative.
MassProperties impossible(double share, bool is_negative) {
  MassProperties part;
  part.mass = is_negative ? 0.5 : 0.0;
  part.inertia_about_com.diagonal() = 0.1 * share * Vector3(1.0, 1.0, is_negative ? -1.0 : 1.0);
  return part;
}

TEST(MassProperties, ImpossibleInertiaThatIsNegligibleInItsBodyIsSetToZeroAndWarnedOf) {
  for (const bool is_negative : {false, true}) {
    const MassProperties part = impossible(0.009, is_negative);
    ModelReport report;
    const Model model = with_parts(part, {}).build({}, &report);
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'part'", "less than 1 %"));
    EXPECT_EQ(report.findings.at(0).code, FindingCode::kIgnoredInertia);
    EXPECT_EQ(model.inertia(1).I, ball().inertia_about_com);
    EXPECT_EQ(model.inertia(1).mass, 1.0 + part.mass) << "the mass remains";
    EXPECT_TRUE(is_physical(model.inertia(1)));
    BuildOptions strict;
    strict.strict = true;
    expect_rejected([&] { static_cast<void>(with_parts(part, {}).build(strict)); }, "link 'part'");
    expect_rejected(
        [&] { static_cast<void>(with_parts(impossible(0.011, is_negative), {}).build()); },
        "link 'part'", {is_negative ? "negative moment" : "no mass"});
  }
}

TEST(MassProperties, NegligibleInertiasOfOneBodyAreAdded) {
  const auto with_two_parts = [](double share) {
    return with_parts(impossible(share, false), {})
        .add_link("more", impossible(share, false))
        .add_joint(joint_between("glue", JointType::kFixed, "part", "more"))
        .build();
  };
  EXPECT_EQ(with_two_parts(0.004).nv(), 1);
  expect_rejected([&] { static_cast<void>(with_two_parts(0.006)); }, "link 'part'");
}

TEST(MassProperties, ImpossibleInertiaOfALinkFixedToTheWorldIsWarnedOf) {
  for (const bool is_negative : {false, true}) {
    const MassProperties antenna = impossible(100.0, is_negative);
    ModelReport report;
    const Model model = with_parts({}, antenna).build({}, &report);
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'antenna'", "fixed to the world"));
    EXPECT_EQ(model.total_mass(), 1.0 + antenna.mass);
    BuildOptions floating;
    floating.floating_base = true;
    expect_rejected([&] { static_cast<void>(with_parts({}, antenna).build(floating)); },
                    "link 'antenna'");
    BuildOptions strict;
    strict.strict = true;
    expect_rejected([&] { static_cast<void>(with_parts({}, antenna).build(strict)); },
                    "link 'antenna'");
  }
}

TEST(MassProperties, InertiaIsCheckedByItsPrincipalMoments) {
  // The same tensor along rotated axes has the same principal moments.
  EXPECT_EQ(load_urdf(replaced(kPendulum, "xyz=\"0 0 -0.5\" rpy=\"0 0 0\"",
                               "xyz=\"0 0 -0.5\" rpy=\"0.3 -1.2 2\""))
                .nv(),
            1);
}

TEST(MassProperties, RoundingIsNotANegativeMoment) {
  ModelReport report;
  build_with_mass(
      [](MassProperties& m) { m.inertia_about_com.diagonal() = Vector3(0.1, 0.1, -1e-11); }, {},
      &report);
  // The rounding error of a program that wrote a point mass about its centre.
  build_with_mass(
      [](MassProperties& m) { m.inertia_about_com.diagonal() = Vector3(-5e-20, -5e-20, 0.0); }, {},
      &report);
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "link 'body'", "principal moments"));
}

TEST(MassProperties, TriangleInequalityIsWarnedOfAndRejectedWhenStrict) {
  const ChangeMass violate = [](MassProperties& m) {
    m.inertia_about_com.diagonal() = Vector3(0.1, 0.1, 0.3);
  };
  ModelReport report;
  EXPECT_EQ(build_with_mass(violate, {}, &report).nv(), 1);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'body'", "principal moments"));
  EXPECT_NE(report.findings.at(0).remedy.find("compute it again, about the centre of mass"),
            std::string::npos);
  // A common factor of all moments does not change the inequality.
  EXPECT_EQ(report.findings.at(0).remedy.find("unit"), std::string::npos);
  BuildOptions strict;
  strict.strict = true;
  expect_rejected([&] { static_cast<void>(build_with_mass(violate, strict)); }, "link 'body'",
                  {"physically inconsistent", "0.3", "compute it again"});
}

TEST(MassProperties, FlatBodyIsTheLimitOfTheTriangleInequality) {
  BuildOptions strict;
  strict.strict = true;
  ModelReport report;
  build_with_mass(
      [](MassProperties& m) { m.inertia_about_com.diagonal() = Vector3(0.1, 0.2, 0.3); }, strict,
      &report);
  EXPECT_FALSE(has_finding(report, Severity::kWarning, "link 'body'", ""));
}

TEST(MassProperties, RoundingErrorOfAZeroMomentIsShownAsZero) {
  // All entries are equal: two moments are zero, up to rounding.
  ModelReport report;
  build_with_mass([](MassProperties& m) { m.inertia_about_com.setConstant(1.0); }, {}, &report);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'body'", "0, 0 and 3 kg m^2"));
}

TEST(MassProperties, RadiusOfGyrationOver10MetresIsWarnedOf) {
  for (const double moment : {0.5, 99.0, 101.0, 1e6}) {  // of 1 kg: at up to 10 m
    MassProperties wide = ball();
    wide.inertia_about_com = moment * Matrix3::Identity();
    ModelReport report;
    static_cast<void>(ModelBuilder("wide").add_link("wheel", wide).build({}, &report));
    EXPECT_EQ(has_finding(report, Severity::kWarning, "link 'wheel'", "another unit?"),
              moment > 100.0)
        << moment;
  }
}

TEST(MassProperties, InertiaMatrixMustBeSymmetric) {
  expect_mass_rejected([](MassProperties& m) { m.inertia_about_com(0, 1) = 0.01; }, {"symmetric"});
}

TEST(Axis, OfZeroIsRejectedOnEveryJointWithAnAxis) {
  for (const JointType type :
       {JointType::kRevolute, JointType::kContinuous, JointType::kPrismatic, JointType::kPlanar}) {
    expect_joint_rejected(
        [type](JointDescription& j) {
          j.type = type;
          j.axis.setZero();
        },
        {"axis 0 0 0"});
  }
  for (const JointType type : {JointType::kFixed, JointType::kFloating}) {
    const Model model = build_with_joint([type](JointDescription& j) {
      j.type = type;
      j.axis.setZero();
    });
    EXPECT_EQ(model.nv(), velocity_count(type));
  }
  expect_urdf_rejected(replaced(kPendulum, "xyz=\"0 1 0\"", "xyz=\"0 0 0\""), "joint 'hinge'",
                       {"axis 0 0 0"});
}

TEST(Axis, OfAnyLengthIsNormalisedAndReported) {
  for (const double length : {2.0, 1e-200, 1e14, 0.999}) {
    ModelReport report;
    const Model model = build_with_joint(
        [length](JointDescription& j) { j.axis = length * Vector3(0.6, 0.0, -0.8); }, {}, &report);
    EXPECT_TRUE(model.joint(1).axis.isApprox(Vector3(0.6, 0.0, -0.8), 1e-15));
    EXPECT_TRUE(has_finding(report, Severity::kInfo, "joint 'j'", "normalised"));
  }
  ModelReport report;
  build_with_joint([](JointDescription& j) { j.axis = Vector3(0.6, 0.0, 0.8); }, {}, &report);
  EXPECT_FALSE(has_finding(report, Severity::kInfo, "joint 'j'", "normalised"));
}

TEST(Limits, LowerAboveUpperIsRejected) {
  expect_joint_rejected(
      [](JointDescription& j) {
        j.limits = {1.0, -1.0, 5.0, 5.0};
      },
      {"lower", "above"});
  expect_urdf_rejected(replaced(kPendulum, "lower=\"-3\"", "lower=\"3\""), "joint 'hinge'",
                       {"lower", "above"});
}

TEST(Limits, NonNumbersAreRejected) {
  for (double JointLimits::*limit :
       {&JointLimits::lower, &JointLimits::upper, &JointLimits::velocity, &JointLimits::effort}) {
    expect_joint_rejected([limit](JointDescription& j) { j.limits.*limit = kNan; }, {"limit"});
  }
}

TEST(Limits, OfContinuousJointsHaveNoRange) {
  const Model model = build_with_joint([](JointDescription& j) {
    j.type = JointType::kContinuous;
    j.limits = {1.0, -1.0, 5.0, 6.0};
  });
  EXPECT_EQ(model.joint(1).limits.lower, -kUnlimited);
  EXPECT_EQ(model.joint(1).limits.upper, kUnlimited);
  EXPECT_EQ(model.joint(1).limits.effort, 6.0);
}

TEST(Limits, OfNegativeEffortBecomeZero) {
  ModelReport report;
  const Model model = load_urdf(replaced(kPendulum, "effort=\"10\"", "effort=\"-1\""), {}, &report);
  EXPECT_EQ(model.joint(1).limits.effort, 0.0);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "negative"));
}

TEST(Origin, NonRotationIsRejected) {
  expect_joint_rejected([](JointDescription& j) { j.origin.E(0, 0) = 2.0; }, {"not a rotation"});
  expect_joint_rejected([](JointDescription& j) { j.origin.E(0, 0) = -1.0; }, {"not a rotation"});
}

TEST(Names, EmptyOrUnreadableAreRejected) {
  const auto with_link = [](const std::string& name) {
    return [name] { static_cast<void>(ModelBuilder("r").add_link(name).build()); };
  };
  expect_rejected(with_link(""), "link", {"empty"});
  expect_rejected(with_link("a\nb"), "link 'a\\x0ab'", {"control"});
  expect_rejected(with_link("a\x7F"), "link 'a\\x7f'", {"control"});
  expect_rejected(with_link("\xC2\x9B"
                            "2J"),
                  "link '\\xc2\\x9b2J'", {"control"});
  expect_rejected(with_link("caf\xE9"), "link 'caf\\xe9'", {"UTF-8"});
  expect_rejected(with_link("\xC0\x80"), "link '\\xc0\\x80'", {"UTF-8"});
  expect_rejected(with_link("\xF5\x80\x80\x80"), "link '\\xf5\\x80\\x80\\x80'", {"UTF-8"});
  expect_rejected([] { build_with_joint([](JointDescription& j) { j.name = ""; }); }, "joint",
                  {"empty"});
}

TEST(Names, AreShortenedInMessagesNotInModels) {
  const std::string name(10000, 'x');
  EXPECT_EQ(ModelBuilder("r").add_link(name).build().link(0).name, name);
  try {
    static_cast<void>(ModelBuilder("r").add_link(name).add_link(name).build());
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_LT(std::string(error.what()).size(), 300U);
  }
}

TEST(Options, MissingElementsAreRejected) {
  BuildOptions armature;
  armature.armature["ghost"] = 1.0;
  expect_rejected([&] { static_cast<void>(chain(1).build(armature)); }, "joint 'ghost'",
                  {"armature"});
  BuildOptions payload;
  payload.payloads.push_back({"ghost", ball()});
  expect_rejected([&] { static_cast<void>(chain(1).build(payload)); }, "payload on link 'ghost'",
                  {});
}

TEST(Options, WithBadNumbersAreRejected) {
  BuildOptions gravity;
  gravity.gravity.z() = kNan;
  expect_rejected([&] { static_cast<void>(chain(1).build(gravity)); }, "option 'gravity'", {});
  BuildOptions speed;
  speed.friction_speed = 0.0;
  expect_rejected([&] { static_cast<void>(chain(1).build(speed)); }, "option 'friction_speed'", {});
  BuildOptions armature;
  armature.armature["j1"] = -1.0;
  expect_rejected([&] { static_cast<void>(chain(1).build(armature)); }, "joint 'j1'", {"negative"});
  BuildOptions payload;
  payload.payloads.push_back({"l1", {-1.0, Vector3::Zero(), Matrix3::Zero()}});
  expect_rejected([&] { static_cast<void>(chain(1).build(payload)); }, "payload on link 'l1'",
                  {"negative"});
}

TEST(Options, ArmatureOnFixedJointIsWarnedOf) {
  BuildOptions options;
  options.armature["j1"] = 1.0;
  ModelReport report;
  EXPECT_EQ(chain(1, JointType::kFixed).build(options, &report).nv(), 0);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'j1'", "armature"));
}

}  // namespace
}  // namespace spatial_dynamics::test
