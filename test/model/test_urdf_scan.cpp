// Elements and attributes that a URDF must have, and have once.
#include "model/urdf_scan.hpp"

#include <string>

#include "model/rejections.hpp"
#include "support/random_tree.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(UrdfScan, NamesAreRequired) {
  expect_urdf_rejected(replaced(kPendulum, "<robot name=\"pendulum\">", "<robot>"), "robot",
                       {"name"});
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>", "<link/>"), "link", {"line 3"});
  expect_urdf_rejected(replaced(kPendulum, "<joint name=\"hinge\" ", "<joint "), "joint",
                       {"line 11"});
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"\"/>"), "link",
                       {"empty"});
}

TEST(UrdfScan, XacroExpressionsInNamesAreRejected) {
  expect_urdf_rejected(
      replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"${prefix}base\"/>"),
      "link '${prefix}base'", {"run xacro"});
  for (const std::string name : {"$(arg name)", "${name}"}) {
    expect_urdf_rejected(
        replaced(kPendulum, "<robot name=\"pendulum\">", "<robot name=\"" + name + "\">"),
        "robot '" + name + "'", {"run xacro"});
  }
}

TEST(UrdfScan, NamesWithControlCharactersAreRejected) {
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"ba&#10;se\"/>"),
                       "link 'ba\\x0ase'", {"control characters"});
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"ba&#x85;se\"/>"),
                       "link 'ba\\xc2\\x85se'", {"control characters"});
  expect_urdf_rejected(replaced(kPendulum, "<joint name=\"hinge\"", "<joint name=\"hin\tge\""),
                       "joint 'hin\\x09ge'", {"control characters"});
}

TEST(UrdfScan, NamesOfAllScriptsAndEscapesLoad) {
  const std::string link =
      "R\xC3\xBC"
      "ckgrat \xE8\x85\x95 &amp; &lt;&quot;&apos;&gt;";
  std::string urdf = replaced(kPendulum, "<link name=\"base\"/>", "<link name=\"" + link + "\"/>");
  urdf = replaced(urdf, "<parent link=\"base\"/>", "<parent link=\"" + link + "\"/>");
  const Model model = load_urdf(urdf);
  EXPECT_EQ(model.link(0).name,
            "R\xC3\xBC"
            "ckgrat \xE8\x85\x95 & <\"'>");
}

TEST(UrdfScan, UnknownJointTypeIsRejected) {
  expect_urdf_rejected(replaced(kPendulum, "type=\"revolute\"", "type=\"ball\""), "joint 'hinge'",
                       {"'ball'", "prismatic"});
  expect_urdf_rejected(replaced(kPendulum, "type=\"revolute\"", "type=\"Revolute\""),
                       "joint 'hinge'", {"'Revolute'"});
  expect_urdf_rejected(replaced(kPendulum, " type=\"revolute\"", ""), "joint 'hinge'", {"type"});
}

TEST(UrdfScan, ParentAndChildAreRequired) {
  expect_urdf_rejected(replaced(kPendulum, "<parent link=\"base\"/>", ""), "joint 'hinge'",
                       {"<parent>"});
  expect_urdf_rejected(replaced(kPendulum, "<child link=\"rod\"/>", "<child/>"), "joint 'hinge'",
                       {"link", "<child>"});
}

TEST(UrdfScan, InertialNeedsMassAndInertia) {
  expect_urdf_rejected(replaced(kPendulum, "<mass value=\"1.5\"/>", ""), "link 'rod'", {"<mass>"});
  expect_urdf_rejected(replaced(kPendulum, "<mass value=\"1.5\"/>", "<mass/>"), "link 'rod'",
                       {"value", "<mass>"});
  for (const std::string entry : {"ixx=\"0.1\"", "ixy=\"0\"", "iyz=\"0\"", "izz=\"0.01\""}) {
    expect_urdf_rejected(replaced(kPendulum, entry, ""), "link 'rod'",
                         {entry.substr(0, 3), "<inertia>"});
  }
  const std::string inertia =
      R"(<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/>)";
  expect_urdf_rejected(replaced(kPendulum, inertia, ""), "link 'rod'", {"<inertia>"});
}

TEST(UrdfScan, RevoluteAndPrismaticJointsNeedLimits) {
  const std::string limit = "<limit lower=\"-3\" upper=\"2\" effort=\"10\" velocity=\"5\"/>";
  const std::string unlimited = replaced(kPendulum, limit, "");
  expect_urdf_rejected(unlimited, "joint 'hinge'", {"<limit", "continuous"});
  expect_urdf_rejected(replaced(unlimited, "\"revolute\"", "\"prismatic\""), "joint 'hinge'",
                       {"<limit"});
  for (const char* type : {"\"continuous\"", "\"planar\"", "\"floating\"", "\"fixed\""}) {
    EXPECT_EQ(load_urdf(replaced(unlimited, "\"revolute\"", type)).link_count(), 2) << type;
  }
  expect_urdf_rejected(replaced(kPendulum, " effort=\"10\"", ""), "joint 'hinge'", {"effort"});
  expect_urdf_rejected(replaced(kPendulum, " velocity=\"5\"", ""), "joint 'hinge'", {"velocity"});
}

TEST(UrdfScan, FixedJointsNeedNeitherAxisNorLimits) {
  const std::string fixed = replaced(kPendulum, "\"revolute\"", "\"fixed\"");
  EXPECT_EQ(load_urdf(replaced(fixed, "xyz=\"0 1 0\"", "xyz=\"0 0 0\"")).nv(), 0);
  EXPECT_EQ(load_urdf(replaced(fixed, "xyz=\"0 1 0\"", "")).nv(), 0);
  EXPECT_EQ(load_urdf(replaced(fixed, " effort=\"10\" velocity=\"5\"", "")).nv(), 0);
}

TEST(UrdfScan, AxisWithoutDirectionIsRejected) {
  expect_urdf_rejected(replaced(kPendulum, " xyz=\"0 1 0\"", ""), "joint 'hinge'",
                       {"xyz", "<axis>"});
}

TEST(UrdfScan, RepeatedElementsAreRejected) {
  for (const char* text :
       {"<mass value=\"1.5\"/>", "<axis xyz=\"0 1 0\"/>", "<parent link=\"base\"/>",
        "<child link=\"rod\"/>", "<origin xyz=\"0 0 1\" rpy=\"0 0 0\"/>",
        "<origin xyz=\"0 0 -0.5\" rpy=\"0 0 0\"/>",
        "<dynamics damping=\"0.25\" friction=\"0.5\"/>"}) {
    SCOPED_TRACE(text);
    const bool on_link = kPendulum.find(text) < kPendulum.find("</link>");
    expect_urdf_rejected(replaced(kPendulum, text, std::string(text) + text),
                         on_link ? "link 'rod'" : "joint 'hinge'", {"two elements"});
  }
}

TEST(UrdfScan, AnglesBeyond1e15AreRejectedThoughTheirRotationExists) {
  EXPECT_EQ(load_urdf(replaced(kPendulum, "xyz=\"0 0 1\" rpy=\"0 0 0\"",
                               "xyz=\"0 0 1\" rpy=\"0 1e15 0\""))
                .nv(),
            1);
  for (const std::string angle : {"2e15", "-1e16", "1e300"}) {
    expect_urdf_rejected(replaced(kPendulum, "xyz=\"0 0 1\" rpy=\"0 0 0\"",
                                  "xyz=\"0 0 1\" rpy=\"0 " + angle + " 0\""),
                         "joint 'hinge'", {"rpy", "<origin>", "1e15"});
    expect_urdf_rejected(replaced(kPendulum, "xyz=\"0 0 -0.5\" rpy=\"0 0 0\"",
                                  "xyz=\"0 0 -0.5\" rpy=\"" + angle + " 0 0\""),
                         "link 'rod'", {"rpy", "<origin>", "1e15"});
  }
}

TEST(UrdfScan, LimitsAtTheSameInfinityAreRejected) {
  for (const auto& [lower, upper] : {std::pair("inf", "inf"), std::pair("-inf", "-inf"),
                                     std::pair("1e15", "1e16"), std::pair("-1e300", "-1e15")}) {
    SCOPED_TRACE(std::string(lower) + " " + upper);
    expect_urdf_rejected(replaced(kPendulum, "lower=\"-3\" upper=\"2\"",
                                  std::string("lower=\"") + lower + "\" upper=\"" + upper + "\""),
                         "joint 'hinge'", {"can never be", "-inf to inf"});
  }
}

/// kPendulum in another version of URDF.
std::string in_version(const char* version, const std::string& urdf = kPendulum) {
  return replaced(urdf, "<robot name", std::string("<robot version=\"") + version + "\" name");
}

const std::string kJointOrigin = "xyz=\"0 0 1\" rpy=\"0 0 0\"";
const std::string kInertialOrigin = "xyz=\"0 0 -0.5\" rpy=\"0 0 0\"";

std::string with_quaternion(const std::string& origin, const std::string& xyzw) {
  return replaced(kPendulum, origin,
                  origin.substr(0, origin.find(" rpy")) + " quat_xyzw=\"" + xyzw + "\"");
}

TEST(UrdfScan, QuaternionsOfVersion11AreRotations) {
  Random random{11};
  for (int i = 0; i < 200; ++i) {
    VectorXd xyzw = random_vector(random, 4).normalized();
    // Half of them pitch by a quarter turn, where roll and yaw are not unique.
    if (i % 2 == 0) {
      const double roll = 3.0 * xyzw(0);
      const Quaternion q = Quaternion(Eigen::AngleAxisd(3.0 * xyzw(1), Vector3::UnitZ())) *
                           Eigen::AngleAxisd(i % 4 == 0 ? M_PI_2 : -M_PI_2, Vector3::UnitY()) *
                           Eigen::AngleAxisd(roll, Vector3::UnitX());
      xyzw = q.coeffs();
    }
    const Matrix3 R = Quaternion(xyzw(3), xyzw(0), xyzw(1), xyzw(2)).toRotationMatrix();
    const std::string text = number_text(xyzw(0)) + " " + number_text(xyzw(1)) + " " +
                             number_text(xyzw(2)) + " " + number_text(xyzw(3));
    for (const char* version : {"1.1", "1.2"}) {
      const Model turned = load_urdf(in_version(version, with_quaternion(kJointOrigin, text)));
      EXPECT_LT((turned.joint(1).placement.E - R.transpose()).norm(), 1e-14) << text;
      EXPECT_EQ(turned.joint(1).placement.r, Vector3::UnitZ());
      const Model tilted = load_urdf(in_version(version, with_quaternion(kInertialOrigin, text)));
      const Matrix3 I = R * Vector3(0.1, 0.1, 0.01).asDiagonal() * R.transpose();
      EXPECT_LT((tilted.inertia(1).inertia_about_com() - I).norm(), 1e-14) << text;
    }
  }
}

TEST(UrdfScan, QuaternionsNeedVersion11AndNoRpy) {
  expect_urdf_rejected(with_quaternion(kJointOrigin, "0 0 0 1"), "joint 'hinge'",
                       {"quat_xyzw", "version=\"1.1\"", "rpy"});
  expect_urdf_rejected(in_version("1.0", with_quaternion(kInertialOrigin, "0 0 0 1")), "link 'rod'",
                       {"quat_xyzw", "version=\"1.1\""});
  expect_urdf_rejected(
      in_version("1.1", replaced(kPendulum, kJointOrigin, kJointOrigin + " quat_xyzw=\"0 0 0 1\"")),
      "joint 'hinge'", {"rpy and quat_xyzw"});
}

TEST(UrdfScan, QuaternionsAreFourNumbersOfUnitLength) {
  const auto load = [](const std::string& xyzw) {
    return load_urdf(in_version("1.1", with_quaternion(kJointOrigin, xyzw)));
  };
  // Rounded to four digits, and normalised: a half turn about y.
  EXPECT_LT(
      (load("0 0.9999 0 0").joint(1).placement.E - Vector3(-1, 1, -1).asDiagonal().toDenseMatrix())
          .norm(),
      1e-14);
  for (const char* wrong : {"0 0 0 0", "0 0 0 2", "1 0 0 1", "0 0 0 0.99"}) {
    expect_rejected([&] { static_cast<void>(load(wrong)); }, "joint 'hinge'",
                    {"quaternion of length", "quat_xyzw", "unit"});
  }
  for (const char* wrong : {"0 0 1", "0 0 0 0 1", "", "0 0 0 w", "nan 0 0 1"}) {
    expect_rejected([&] { static_cast<void>(load(wrong)); }, "joint 'hinge'", {"quat_xyzw"});
  }
}

TEST(UrdfScan, LimitsOfVersion12ReachTheModel) {
  const std::string more =
      replaced(kPendulum, "velocity=\"5\"",
               "velocity=\"5\" acceleration=\"7\" deceleration=\"8.5\" jerk=\"inf\"");
  const JointLimits limits = load_urdf(in_version("1.2", more)).joint(1).limits;
  EXPECT_EQ(limits.acceleration, 7.0);
  EXPECT_EQ(limits.deceleration, 8.5);
  EXPECT_EQ(limits.jerk, kUnlimited);
  EXPECT_EQ(limits.velocity, 5.0);
  // Earlier versions ignore attributes that they do not have.
  EXPECT_EQ(load_urdf(in_version("1.1", more)).joint(1).limits.acceleration, kUnlimited);
  EXPECT_EQ(load_urdf(in_version("1.2")).joint(1).limits.acceleration, kUnlimited);
  expect_urdf_rejected(in_version("1.2", replaced(more, "\"8.5\"", "\"fast\"")), "joint 'hinge'",
                       {"deceleration"});
  ModelReport report;
  static_cast<void>(load_urdf(in_version("1.2", replaced(more, "\"7\"", "\"-7\"")), {}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "acceleration limit -7"));
}

TEST(UrdfScan, OmittedLimitsOfVersion12AreUnlimited) {
  const std::string limit = "lower=\"-3\" upper=\"2\" effort=\"10\" velocity=\"5\"";
  const Joint joint =
      load_urdf(in_version("1.2", replaced(kPendulum, limit, "lower=\"-3\" upper=\"2\""))).joint(1);
  EXPECT_EQ(joint.limits.effort, kUnlimited);
  EXPECT_EQ(joint.limits.velocity, kUnlimited);
  EXPECT_EQ(joint.limits.lower, -3.0);
  const std::string half = replaced(kPendulum, "lower=\"-3\" ", "");
  EXPECT_EQ(load_urdf(half).joint(1).limits.lower, 0.0) << "the default before version 1.2";
  expect_urdf_rejected(in_version("1.2", half), "joint 'hinge'", {"lower"});
  EXPECT_EQ(load_urdf(in_version("1.2", replaced(half, "\"revolute\"", "\"continuous\"")))
                .joint(1)
                .limits.lower,
            -kUnlimited);
}

TEST(UrdfScan, ReducedDocumentIsOfVersion10) {
  for (const char* version : {"1.0", "1.1", "1.2"}) {
    EXPECT_EQ(scan_urdf(in_version(version)).document, scan_urdf(kPendulum).document);
  }
  EXPECT_EQ(
      scan_urdf(in_version("1.1", with_quaternion(kJointOrigin, "0 0 0 1"))).document.find("quat"),
      std::string::npos);
}

TEST(UrdfScan, RejectsOtherVersionsOfUrdfBeforeUrdfdomPrintsAboutThem) {
  ::testing::internal::CaptureStderr();
  for (const char* const version : {"7.0", "1.3", "1", "", "1.0.0", "one"}) {
    expect_urdf_rejected(in_version(version), "document",
                         {"version '" + std::string(version) + "'", "1.0, 1.1 or 1.2"});
  }
  for (const char* const version : {"1.0", "1.1", "1.2"}) {
    EXPECT_NO_THROW(load_urdf(in_version(version)));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(UrdfScan, OmittedPartsHaveTheDefaultsOfUrdf) {
  const Model model = load_urdf(R"(<robot name="r"><link name="a"/><link name="b"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><dynamics/></joint></robot>)");
  const Joint& joint = model.joint(1);
  EXPECT_EQ(joint.axis, Vector3::UnitX());
  EXPECT_EQ(joint.placement.r, Vector3::Zero());
  EXPECT_EQ(joint.placement.E, Matrix3::Identity());
  EXPECT_EQ(joint.damping, 0.0);
  EXPECT_EQ(joint.limits.effort, kUnlimited);
}

}  // namespace
}  // namespace spatial_dynamics::test
