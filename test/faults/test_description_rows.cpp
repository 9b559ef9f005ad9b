// Rows 1 to 14: invalid and unusual robot descriptions.
#include <gtest/gtest.h>

#include <chrono>

#include "faults/bench.hpp"
#include "model/rejections.hpp"
#include "runtime/output_values.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "support/german_locale.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// The error of a rejected description, which is one sentence.
std::string rejection(const std::string& urdf, const LoadOptions& options = {}) {
  try {
    (void)load_urdf(urdf, options);
  } catch (const ModelError& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("; "), std::string::npos) << "no remedy: " << sentence;
    return sentence;
  }
  ADD_FAILURE() << "not rejected: " << urdf.substr(0, 2000);
  return {};
}
std::string pendulum_with(const std::string& from, const std::string& to) {
  return replaced(kPendulum, from, to);
}
/// Links base and l1 … ln on a chain of hinges.
std::string long_chain(int links) {
  std::string text = "<robot name=\"chain\"><link name=\"l0\"/>";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i), p = std::to_string(i - 1);
    text += "<link name=\"l" + n + R"("><inertial><mass value="1"/><inertia ixx="1" ixy="0" )";
    text += R"(ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j)" + n;
    text += R"(" type="continuous"><parent link="l)" + p + "\"/><child link=\"l" + n;
    text += "\"/><axis xyz=\"0 1 0\"/></joint>";
  }
  return text + "</robot>";
}

TEST(Descriptions, Row01MalformedDescriptionsAreRejected) {
  for (const char* text :
       {"", " ", "robot", "<robot", "<robot name='x'>", "<sdf/>", "<robot name='x'/><robot/>"}) {
    (void)rejection(text);
  }
  for (std::size_t length = 0; length + 10 < kPendulum.size(); length += 7) {
    (void)rejection(kPendulum.substr(0, length));
  }
}

TEST(Descriptions, Row02DangerousInputIsRejectedBeforeParsing) {
  const std::string doctype =
      "<!DOCTYPE robot [<!ENTITY a 'b'>]>" + kPendulum.substr(kPendulum.find("<robot"));
  (void)rejection(doctype);
  (void)rejection(pendulum_with("name=\"pendulum\"", "name=\"&a;\""));
  std::string deep = "<robot name='x'>";
  for (int i = 0; i < 40'000; ++i) deep += "<a>";  // urdfdom's parser would overflow the stack
  for (int i = 0; i < 40'000; ++i) deep += "</a>";
  (void)rejection(deep + "</robot>");
  (void)rejection(kPendulum + std::string(17 << 20, ' '));
}

TEST(Descriptions, Row03NonNumericMassesAreRejected) {
  for (const char* mass : {"nan", "inf", "-inf", "1e400", "abc", "1,5", "0x1p3", ""}) {
    const std::string sentence =
        rejection(pendulum_with("mass value=\"1.5\"", std::string("mass value=\"") + mass + "\""));
    EXPECT_NE(sentence.find("rod"), std::string::npos) << sentence;
  }
}

TEST(Descriptions, Row04ImpossibleNumbersAreRejectedAndUnlimitedLimitsReported) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"mass value=\"1.5\"", "mass value=\"-1\""},
      {"mass value=\"1.5\"", "mass value=\"0\""},
      {"mass value=\"1.5\"", "mass value=\"2e15\""},
      {"xyz=\"0 0 -0.5\"", "xyz=\"0 0 nan\""},
      {"xyz=\"0 0 1\"", "xyz=\"0 0\""},
      {"axis xyz=\"0 1 0\"", "axis xyz=\"0 inf 0\""},
      {"damping=\"0.25\"", "damping=\"-0.25\""},
      {"friction=\"0.5\"", "friction=\"-1\""},
      {"lower=\"-3\"", "lower=\"3\""},
      {"effort=\"10\"", "effort=\"ten\""}};
  for (const auto& [from, to] : wrong) (void)rejection(pendulum_with(from, to));
  ModelReport report;
  const Model model = load_urdf(pendulum_with("upper=\"2\"", "upper=\"1e15\""), {}, &report);
  EXPECT_EQ(report.joints[0].limits.upper, kInfinity);
  EXPECT_FALSE(report.findings.empty());
  EXPECT_EQ(model.nv(), 1);
}

TEST(Descriptions, Row05AMasslessEndIsReportedAndOnlyForwardDynamicsRejected) {
  const std::size_t from = kPendulum.find("<inertial>"), to = kPendulum.find("</inertial>") + 11;
  std::string massless = kPendulum;
  massless.erase(from, to - from);
  ModelReport report;
  const Model model = load_urdf(massless, {}, &report);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'rod'", "no mass"));
  EXPECT_NE(model.why_forward_dynamics_fails(), "");
  textbook::Data data(model);
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_TRUE(inverse_dynamics(model, data, one, one, one).allFinite());
  LoadOptions rotor;
  rotor.armature["hinge"] = 0.1;
  EXPECT_EQ(load_urdf(massless, rotor).why_forward_dynamics_fails(), "");
}

TEST(Descriptions, Row06InconsistentInertiasAreRejectedOrReported) {
  (void)rejection(pendulum_with("ixx=\"0.1\"", "ixx=\"-0.1\""));
  (void)load_urdf(pendulum_with("izz=\"0.01\"", "izz=\"-5e-20\""));
  const std::string lopsided = pendulum_with("izz=\"0.01\"", "izz=\"5\"");
  ModelReport report;
  (void)load_urdf(lopsided, {}, &report);
  EXPECT_FALSE(report.findings.empty());
  LoadOptions strict;
  strict.strict = true;
  (void)rejection(lopsided, strict);
}

TEST(Descriptions, Row07AxesOfZeroAreRejectedAndOthersNormalised) {
  (void)rejection(pendulum_with("axis xyz=\"0 1 0\"", "axis xyz=\"0 0 0\""));
  (void)load_urdf(replaced(pendulum_with("axis xyz=\"0 1 0\"", "axis xyz=\"0 0 0\""),
                           "type=\"revolute\"", "type=\"fixed\""));
  ModelReport report;
  const Model model =
      load_urdf(pendulum_with("axis xyz=\"0 1 0\"", "axis xyz=\"0 3 0\""), {}, &report);
  EXPECT_TRUE(has_finding(report, Severity::kWarning, "joint 'hinge'", "axis") ||
              has_finding(report, Severity::kInfo, "joint 'hinge'", "axis"));
  const Model unit = load_urdf(kPendulum);
  textbook::Data a(model), b(unit);
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_TRUE(inverse_dynamics(model, a, one, one, one)
                  .isApprox(inverse_dynamics(unit, b, one, one, one), 1e-15));
}

TEST(Descriptions, Row08NonTreesAreRejected) {
  (void)rejection(pendulum_with("child link=\"rod\"", "child link=\"base\""));
  (void)rejection(pendulum_with("parent link=\"base\"", "parent link=\"nobody\""));
  (void)rejection(pendulum_with("link name=\"rod\"", "link name=\"base\""));
  (void)rejection(pendulum_with("</robot>", "<link name=\"alone\"/></robot>"));
  const std::string second =
      R"(<joint name="second" type="fixed"><parent link="base"/><child link="rod"/></joint></robot>)";
  (void)rejection(pendulum_with("</robot>", second));
  const std::string cycle =
      R"(<joint name="back" type="fixed"><parent link="rod"/><child link="base"/></joint></robot>)";
  (void)rejection(pendulum_with("</robot>", cycle));
  const std::string namesake =
      R"(<link name="l"/><joint name="hinge" type="fixed"><parent link="rod"/><child link="l"/></joint></robot>)";
  (void)rejection(pendulum_with("</robot>", namesake));
}

TEST(Descriptions, Row09UnknownJointTypesAreRejected) {
  (void)rejection(pendulum_with("type=\"revolute\"", "type=\"ball\""));
  EXPECT_EQ(load_urdf(pendulum_with("type=\"revolute\"", "type=\"planar\"")).nv(), 3);
  EXPECT_EQ(load_urdf(pendulum_with("type=\"revolute\"", "type=\"floating\"")).nv(), 6);
}

TEST(Descriptions, Row10MimicsOfMissingJointsOrInACycleAreRejectedAndChainsResolved) {
  const auto with_mimics = [](const std::string& first, const std::string& second) {
    const auto joint = [](const std::string& name, const std::string& leader) {
      return R"(<link name="l)" + name + R"("/><joint name=")" + name +
             R"(" type="continuous"><parent link="rod"/><child link="l)" + name + R"("/>)" +
             R"(<axis xyz="0 1 0"/><mimic joint=")" + leader + R"(" multiplier="2"/></joint>)";
    };
    return replaced(kPendulum, "</robot>", joint("a", first) + joint("b", second) + "</robot>");
  };
  (void)rejection(with_mimics("a", "hinge"));
  (void)rejection(with_mimics("nobody", "hinge"));
  (void)rejection(with_mimics("b", "a"));
  ModelReport report;
  EXPECT_EQ(load_urdf(with_mimics("b", "hinge"), {}, &report).nv(), 1);
  ASSERT_EQ(report.mimic.size(), 2u);
  EXPECT_EQ(report.mimic[0].leader, "hinge");
  EXPECT_EQ(report.mimic[0].ratio, 4.0);
}

TEST(Descriptions, Row11WithoutEffortLimitNothingDrivesTheRobot) {
  for (const char* effort : {"effort=\"0\"", "effort=\"1e15\""}) {
    Bench bench(load_urdf(pendulum_with("effort=\"10\"", effort)));
    EXPECT_NE(bench.settings.joints.drive_rejection.find("hinge"), std::string::npos) << effort;
    const auto drives = [&] {
      bench.resolve();
      bench.run(400);  // longer than ramp_s
      return bench.out.send_drive && bench.out.drive == bench.out.torque &&
             !bench.out.drive.isZero(0.0);
    };
    EXPECT_FALSE(drives());
    bench.settings.config.effort_limits = {5.0};
    EXPECT_TRUE(drives());
    bench.settings.config.effort_limits = {};
    bench.settings.config.allow_unlimited_effort = true;
    EXPECT_TRUE(drives());
  }
}

TEST(Descriptions, Row12LoadTimeIsLinearInLinks) {
  const auto seconds = [](int links) {
    const std::string text = long_chain(links);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(load_urdf(text).nv(), links);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double ratio = 1e9;  // a machine with other work may be slow once, not three times
  for (int i = 0; i < 3 && ratio > 30.0; ++i)
    ratio = std::min(ratio, seconds(10'000) / seconds(1000));
  EXPECT_LT(ratio, 30.0);  // 10 if linear, 100 if quadratic
}

TEST(Descriptions, Row13DecimalCommasOfTheLocaleChangeNothing) {
  const Model plain = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data(plain);
  const VectorXd q = VectorXd::Constant(7, 0.3);
  const VectorXd expected = inverse_dynamics(plain, data, q, q, q);
  const GermanLocale german;
  if (!german.is_set()) GTEST_SKIP() << "no German locale here";
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data german_data(model);
  EXPECT_EQ(inverse_dynamics(model, german_data, q, q, q), expected);
}

TEST(Descriptions, Row14UnprintableNamesAreRejected) {
  (void)rejection(pendulum_with("joint name=\"hinge\"", "joint name=\"hin\xffge\""));
  (void)rejection(pendulum_with("joint name=\"hinge\"", "joint name=\"hin&#7;ge\""));
  (void)rejection(pendulum_with("joint name=\"hinge\"", std::string("joint name=\"hin\x01ge\"")));
}

}  // namespace
}  // namespace spatial_dynamics::test
