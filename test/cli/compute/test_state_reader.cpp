// Errors of `compute` in lines of input.
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

struct BadLine {
  std::string line;
  std::string says;  ///< a part of the sentence
};

/// Every bad line is between two good ones: it must be rejected by number and name, and they
/// must be answered.
void expect_lines_rejected(const std::vector<std::string>& arguments, const std::string& good,
                           const std::vector<BadLine>& cases) {
  std::string input = good + "\n";
  for (const BadLine& bad : cases) input += bad.line + "\n" + good + "\n";
  const Outcome outcome = run_cli(arguments, input);
  EXPECT_EQ(outcome.exit_code, 1);
  // The URDF of a robot without mass has a note.
  EXPECT_TRUE(outcome.errors.empty() || outcome.errors.find("note: ") == 0U) << outcome.errors;
  const std::vector<Json> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 2 * cases.size() + 1);
  ASSERT_FALSE(lines[0].contains("error")) << lines[0];
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& rejected = lines[2 * i + 1];
    ASSERT_TRUE(rejected.contains("error")) << cases[i].line << " -> " << rejected;
    EXPECT_EQ(rejected.size(), 2U);
    EXPECT_EQ(rejected.at("line"), 2 * i + 2);
    EXPECT_NE(rejected.at("error").get<std::string>().find(cases[i].says), std::string::npos)
        << cases[i].line << " -> " << rejected;
    EXPECT_EQ(lines[2 * i + 2], lines[0]) << "after " << cases[i].line;
  }
}

TEST(StateReader, RejectsMalformedStates) {
  expect_lines_rejected({"compute", shipped_urdf("double_pendulum")}, kGoodLine,
                        {{"[1,2]", "must be an object"},
                         {"null", "must be an object"},
                         {"17", "must be an object"},
                         {R"({"q":[0,0],"a":[0,0]} {})", "column 23"},
                         {R"({"q":[0,0],"a":[0,0])", "the line ends"},
                         {R"({"q":[0,0],"acceleration":[0,0]})", "unknown key 'acceleration'"},
                         {R"({"q":[0,0],"q":[0,0],"a":[0,0]})", "q is given twice"},
                         {R"({"q":[0,0],"want":[],"want":[]})", "want is given twice"},
                         {R"({"wrenches":{},"wrenches":{}})", "wrenches is given twice"}});
}

TEST(StateReader, RejectsWrongNumbers) {
  expect_lines_rejected(
      {"compute", shipped_urdf("double_pendulum")}, kGoodLine,
      {{R"({"q":[0],"a":[0,0]})", "q must have 2 numbers, not 1; `check` lists"},
       {R"({"q":[0,0,0],"a":[0,0]})", "q must have 2 numbers, not 3"},
       {R"({"q":[],"a":[0,0]})", "q must have 2 numbers, not 0"},
       {R"({"q":[0,0],"v":[1],"a":[0,0]})", "v must have 2 numbers, not 1"},
       {R"({"q":[0,0],"a":[0,0,0]})", "a must have 2 numbers, not 3"},
       {R"({"q":[0,0],"tau":[0]})", "tau must have 2 numbers, not 1"},
       {R"({"q":[0,"1"],"a":[0,0]})", "q[1] must be a number"},
       {R"({"q":[0,null],"a":[0,0]})", "q[1] must be a number"},
       {R"({"q":[0,[1]],"a":[0,0]})", "q[1] must be a number"},
       {R"({"q":0.5,"a":[0,0]})", "q must be an array in coordinate order or an object"},
       {R"({"q":"","a":[0,0]})", "q must be an array in coordinate order or an object"},
       {R"({"q":[0,1e16],"a":[0,0]})", "q[1] is beyond 1e15"},
       {R"({"q":[0,0],"a":[-1e400,0]})", "a[0] is beyond 1e15"},
       {R"({"q":[NaN,0],"a":[0,0]})", "not valid JSON at column 7"},
       {R"({"q":[Infinity,0],"a":[0,0]})", "not valid JSON at column 7"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":[]})", "wrenches must be an object"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":{"tip":[1,2,3]}})",
        "wrenches of 'tip' must have 6 numbers, not 3"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":{"tip":[1,2,3,4,5,true]}})",
        "wrenches of 'tip'[5] must be a number"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":{"tip":1}})", "must be an array of 6 numbers"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":{"top":[1,2,3,4,5,6]}})", "link 'top'"},
       {R"({"q":[0,0],"a":[0,0],"wrenches":{"tip":[1,0,0,0,0,0],"tip":[1,0,0,0,0,0]}})",
        "link 'tip' twice"}});
}

TEST(StateReader, MentionsTheFloatingBaseIfTheCountFitsOne) {
  const std::string pendulum = shipped_urdf("double_pendulum");
  expect_lines_rejected(
      {"compute", pendulum}, kGoodLine,
      {{R"({"q":[0,0,0,0,0,0,1,0,0],"a":[0,0]})", "with --floating-base it has 9"},
       {R"({"q":[0,0],"a":[0,0,0,0,0,0,0,0]})", "with --floating-base it has 8"}});
  expect_lines_rejected({"compute", pendulum, "--floating-base"},
                        R"({"q":[0,0,0,0,0,0,1,0,0],"a":[0,0,0,0,0,0,0,0]})",
                        {{R"({"q":[0,0],"a":[0,0]})", "the first 7 are the floating base's"}});
}

TEST(StateReader, RejectsWrongNames) {
  expect_lines_rejected(
      {"compute", shipped_urdf("gripper")}, R"({"q":[0,0],"a":[0,0]})",
      {{R"({"q":{"wrist":0},"a":[0,0]})", "q lacks joint 'finger_left'"},
       {R"({"q":[0,0,0],"a":[0,0]})", "not 3; `check` lists the joints in order, and mimic joints"},
       {R"({"q":{"wrist":0,"wrist":0,"finger_left":0},"a":[0,0]})", "joint 'wrist' twice"},
       {R"({"q":{"wrist":0,"finger":0},"a":[0,0]})", "joint 'finger', which is not a moving joint"},
       {R"({"q":{"finger_right":0},"a":[0,0]})", "it follows 'finger_left'"},
       {R"({"q":{"pinion":0},"a":[0,0]})", "it follows 'finger_left'"},
       {R"({"q":{"wrist":[0],"finger_left":0},"a":[0,0]})", "q of 'wrist' must be a number"},
       {R"({"q":{},"a":[0,0]})", "q lacks joint 'wrist'"},
       {R"({"q":[0,0],"v":{"wrist":0},"a":[0,0]})", "v lacks joint 'finger_left'"}});
  expect_lines_rejected({"compute", shipped_urdf("double_pendulum"), "--lock", "elbow=0.5"},
                        R"({"q":[0],"a":[0]})",
                        {{R"({"q":{"shoulder":0,"elbow":0},"a":[0]})", "locked"}});
}

TEST(StateReader, RejectsRequestsWithMissingInputs) {
  expect_lines_rejected(
      {"compute", shipped_urdf("double_pendulum")}, kGoodLine,
      {{R"({"q":[0,0]})", "nothing to compute: give a (for id), tau (for fd), or a want"},
       {R"({"q":[0,0],"want":["id"]})", "id needs a"},
       {R"({"q":[0,0],"a":[0,0],"want":["fd"]})", "fd needs tau"},
       {R"({"q":[0,0],"tau":[0,0],"want":["id_derivatives"]})", "id_derivatives needs a"},
       {R"({"q":[0,0],"tau":[0,0],"want":["regressor"]})", "regressor needs a"},
       {R"({"q":[0,0],"a":[0,0],"want":["fd_derivatives"]})", "fd_derivatives needs tau"},
       {R"({"a":[0,0],"want":["mass_matrix_inverse"]})", "mass_matrix_inverse needs q"},
       {R"({"want":["momentum"]})", "momentum needs q"},
       {R"({"q":[0,0],"want":["joint_wrenches"]})", "joint_wrenches needs a, or tau"},
       {R"({"want":["gravity"]})", "gravity needs q"},
       {R"({"a":[0,0]})", "id needs q"},
       {R"({"q":[0,0],"want":["ID"]})", "want 'ID' is unknown; choose among id fd bias"},
       {R"({"q":[0,0],"want":["pose"]})", "want 'pose' is unknown"},
       {R"({"q":[0,0],"want":["id:tip"]})", "want 'id:tip' is unknown"},
       {R"({"q":[0,0],"want":["pose:top"]})", "no link 'top'"},
       {R"({"q":[0,0],"want":["jacobian:"]})", "no link ''"},
       {R"({"q":[0,0],"want":"gravity"})", "want must be an array"},
       {R"({"q":[0,0],"want":[1]})", "want must contain strings"}});
}

TEST(StateReader, ContactsNeedAPositionAndAFloatingBase) {
  expect_lines_rejected(
      {"compute", shipped_urdf("double_pendulum")}, kGoodLine,
      {{R"({"q":[0,0],"contacts":["tip"]})", "use --floating-base"},
       {R"({"q":[0,0],"want":["contact_forces"]})", "contact_forces needs contacts"},
       {R"({"q":[0,0],"want":["needed_friction"]})", "needed_friction needs contacts"},
       {R"({"q":[0,0],"a":[0,0],"ground_friction":1})", "ground_friction needs contacts"}});
  expect_lines_rejected(
      {"compute", shipped_urdf("double_pendulum"), "--floating-base"},
      R"({"q":[0,0,0,0,0,0,1,0,0],"contacts":["base"]})",
      {{R"({"contacts":["base"],"want":[]})", "contacts needs q"},
       {R"({"q":[0,0,0,0,0,0,1,0,0],"contacts":["base"],"contacts":["base"]})", "given twice"},
       {R"({"q":[0,0,0,0,0,0,1,0,0],"contacts":["base"],"ground_friction":-0.1})",
        "ground_friction must not be negative"},
       {R"({"contacts":["base"],"ground_friction":1,"ground_friction":1})", "given twice"},
       {R"({"contacts":["base"],"ground_friction":"1"})", "ground_friction must be a number"}});
}

TEST(StateReader, ContactsApplyOnlyToTheirLine) {
  const std::string plain = R"({"q":[0,0,0,0,0,0,1,0,0],"a":[0,0,0,0,0,0,0,1]})";
  const std::string other = R"({"q":[0,0,0,0,0,0,1,0,0],"want":["id"]})";
  const std::string standing = R"({"q":[0,0,0,0,0,0,1,0,0],"contacts":["base"]})";
  std::string input;
  for (const std::string& line : {plain, standing, plain, standing, other}) input += line + "\n";
  const std::vector<Json> lines =
      run_cli({"compute", shipped_urdf("double_pendulum"), "--floating-base"}, input).lines();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[2], lines[0]);
  EXPECT_EQ(lines[3], lines[1]);  // a is zero, not that of the line before
  EXPECT_EQ(lines[4].at("error"), "id needs a");
}

TEST(StateReader, RejectsNonUnitQuaternions) {
  expect_lines_rejected({"compute", shipped_urdf("double_pendulum"), "--floating-base"},
                        R"({"q":[0,0,0,0,0,0,1,0,0],"want":["gravity"]})",
                        {{R"({"q":[0,0,0,0,0,0,0,0,0],"want":["gravity"]})", "quaternion"},
                         {R"({"q":[0,0,0,0,0,0,1.002,0,0],"want":["gravity"]})", "'floating_base'"},
                         {R"({"q":[0,0,0,1,0,0,1,0,0],"want":["gravity"]})", "not 1"}});
}

TEST(StateReader, RejectsForwardDynamicsWithoutMass) {
  const TemporaryFile robot(
      urdf_robot(urdf_link("base", "") + urdf_link("arm", urdf_inertial("1")) +
                 urdf_link("hand", "") + urdf_joint("shoulder", "revolute", "base", "arm") +
                 urdf_joint("wrist", "revolute", "arm", "hand")));
  const std::string good = R"({"q":[0,0],"a":[1,1]})";
  const std::string fd = R"({"q":[0,0],"tau":[1,1]})";
  expect_lines_rejected({"compute", robot.path()}, good, {{fd, "'wrist'"}});
  const Outcome regular = run_cli({"compute", robot.path(), "--armature", "wrist=0.1"}, fd);
  EXPECT_EQ(regular.exit_code, 0) << regular.output << regular.errors;
}

TEST(StateReader, AnswersContainNoInfinity) {
  // The acceleration of this light arm is 1e15 / 1e-301 rad/s^2, beyond the range of double.
  const std::string light =
      R"(<inertial><mass value="1e-300"/><inertia ixx="1e-301" iyy="1e-301" izz="1e-301" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const TemporaryFile robot(urdf_robot(urdf_link("base", "") + urdf_link("arm", light) +
                                       urdf_joint("shoulder", "revolute", "base", "arm")));
  expect_lines_rejected({"compute", robot.path()}, R"({"q":[0],"a":[1]})",
                        {{R"({"q":[0],"tau":[1e15]})", ""}});
}

TEST(StateReader, EscapedNamesAreTheSameNames) {
  const Outcome outcome = run_cli(
      {"compute", shipped_urdf("double_pendulum")},
      R"({"\u0071":{"sh\u006fulder":0.1,"elbow":0.2},"\u0061":{"shoulder":1,"elb\u006Fw":0}})"
      "\n"
      R"({"q":{"shoulder":0.1,"elbow":0.2},"a":{"shoulder":1,"elbow":0}})");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.lines().at(0), outcome.lines().at(1));
}

TEST(StateReader, NamesBeyondAsciiAreReadAndWritten) {
  const TemporaryFile robot(
      urdf_robot(urdf_link("base", "") + urdf_link("arm", urdf_inertial("1")) +
                 urdf_joint("épaule \xE2\x86\xBB &quot;1&quot;", "revolute", "base", "arm")));
  const Outcome outcome = run_cli({"compute", robot.path()},
                                  "{\"q\":{\"\\u00e9paule \\u21bb \\\"1\\\"\":0.5},\"a\":[0]}");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(outcome.lines().at(0).at("id").contains("épaule ↻ \"1\""));
}

TEST(StateReader, AWrenchAppliesOnlyToItsLine) {
  const std::string plain = R"({"q":[0.1,0.2],"a":[1,0]})";
  const std::string pushed = R"({"q":[0.1,0.2],"a":[1,0],"wrenches":{"tip":[9,9,9,9,9,9]}})";
  const std::string broken = R"({"wrenches":{"tip":[9,9,9,9,9,9],"top":[]},"q":[0.1,0.2]})";
  std::string input;
  for (const std::string& line : {plain, pushed, plain, broken, plain}) input += line + "\n";
  const std::vector<Json> lines =
      run_cli({"compute", shipped_urdf("double_pendulum")}, input).lines();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_NE(lines[1], lines[0]);
  EXPECT_EQ(lines[2], lines[0]);
  EXPECT_EQ(lines[4], lines[0]);
}

}  // namespace
}  // namespace spatial_dynamics::test
