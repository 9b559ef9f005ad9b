// `check`: the report for people and for programs, and errors.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/weight_torque.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

Json check_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"check", "--json"});
  const Outcome outcome = run_cli(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  return Json::parse(outcome.output);
}

Json number_or_null(double x) { return x == kUnlimited || x == -kUnlimited ? Json() : Json(x); }

TEST(Check, JsonIsTheReportOfTheLibrary) {
  for (const char* name :
       {"double_pendulum", "arm6", "arm7", "gripper", "gantry", "quadruped", "humanoid"}) {
    ModelReport report;
    add_weights(load_urdf_file(shipped_urdf(name), {}, &report), report);
    const Json got = check_json({shipped_urdf(name)});
    EXPECT_EQ(got.at("name"), report.name);
    EXPECT_EQ(got.at("dof"), report.dof);
    EXPECT_EQ(got.at("total_mass"), report.total_mass);
    ASSERT_EQ(got.at("joints").size(), report.joints.size());
    for (std::size_t i = 0; i < report.joints.size(); ++i) {
      const CoordinateEntry& joint = report.joints[i];
      EXPECT_EQ(got["joints"][i], Json({{"name", joint.name},
                                        {"type", to_string(joint.type)},
                                        {"parent", joint.parent},
                                        {"child", joint.child},
                                        {"lower", number_or_null(joint.limits.lower)},
                                        {"upper", number_or_null(joint.limits.upper)},
                                        {"effort", number_or_null(joint.limits.effort)},
                                        {"velocity", number_or_null(joint.limits.velocity)},
                                        {"acceleration", Json()},
                                        {"deceleration", Json()},
                                        {"jerk", Json()},
                                        {"damping", joint.damping},
                                        {"friction", joint.friction},
                                        {"armature", joint.armature},
                                        {"weight", joint.weight ? Json(*joint.weight) : Json()}}));
    }
    EXPECT_EQ(got.at("lumped").size(), report.lumped.size());
    for (const LumpedLink& lumped : report.lumped) {
      EXPECT_EQ(got["lumped"].at(lumped.link), lumped.into);
    }
    ASSERT_EQ(got.at("findings").size(), report.findings.size());
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const Finding& finding = report.findings[i];
      EXPECT_EQ(got["findings"][i], Json({{"code", to_string(finding.code)},
                                          {"severity", to_string(finding.severity)},
                                          {"element", finding.element},
                                          {"what", finding.what},
                                          {"remedy", finding.remedy}}));
    }
  }
}

TEST(Check, JointsAreInCoordinateOrder) {
  const Json got = check_json({shipped_urdf("double_pendulum")});
  EXPECT_EQ(got["joints"][0]["name"], "shoulder");
  EXPECT_EQ(got["joints"][1]["name"], "elbow");
  EXPECT_EQ(got["joints"][0]["lower"], nullptr) << "a continuous joint has no limits";
  EXPECT_EQ(got["joints"][0]["effort"], 50);
}

TEST(Check, MimicJointsAreNotCoordinates) {
  const Json got = check_json({shipped_urdf("gripper")});
  EXPECT_EQ(got["dof"], 2);
  ASSERT_EQ(got["mimic"].size(), 2U);
  EXPECT_EQ(
      got["mimic"][1],
      Json({{"joint", "pinion"}, {"leader", "finger_left"}, {"ratio", 80.0}, {"offset", 0.0}}));
}

TEST(Check, OptionsShowInTheReport) {
  const Json got = check_json({shipped_urdf("arm7"), "--floating-base", "--armature", "elbow=0.25",
                               "--armature", "wrist_roll=1e-3", "--lock", "wrist_pitch=-0.5",
                               "--payload", "flange=2.5,0,0,0.1"});
  const Json plain = check_json({shipped_urdf("arm7")});
  EXPECT_EQ(got["dof"], 6 + 6);
  EXPECT_EQ(got["joints"][0]["name"], "floating_base");
  EXPECT_EQ(got["joints"][0]["type"], "floating");
  EXPECT_EQ(got["joints"][0]["parent"], "world");
  EXPECT_EQ(got["joints"][4]["armature"], 0.25);
  EXPECT_EQ(got["joints"][6]["armature"], 1e-3);
  EXPECT_EQ(got["locked"], Json::array({{{"joint", "wrist_pitch"}, {"value", -0.5}}}));
  EXPECT_NEAR(got["total_mass"].get<double>(), plain["total_mass"].get<double>() + 2.5, 1e-12);
}

TEST(Check, TextReportHasJointsLimitsMimicsAndLocks) {
  const Outcome outcome = run_cli(
      {"check", shipped_urdf("gripper"), "--lock", "wrist=0.5", "--armature", "finger_left=0.125"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors, "");
  for (const char* part :
       {"gripper: 1 degree of freedom, 0.93 kg", "finger_left", "prismatic", "palm -> left_finger",
        "0 .. 0.04 m", "70 N", "0.05 m/s", "10 N s/m", "0.125 kg", "grasp", "part of",
        "pinion = 80 * finger_left", "wrist at 0.5"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;
  }
}

TEST(Check, FindingsAreShownWithTheirRemedy) {
  const TemporaryFile robot(
      urdf_robot(urdf_link("base", "") + urdf_link("arm", urdf_inertial("1")) +
                 urdf_link("hand", "") + urdf_joint("shoulder", "revolute", "base", "arm") +
                 urdf_joint("wrist", "revolute", "arm", "hand")));
  const Json findings = check_json({robot.path()}).at("findings");
  const std::string text = run_cli({"check", robot.path()}).output;
  ASSERT_FALSE(findings.empty());
  for (const Json& finding : findings) {
    for (const char* key : {"severity", "element", "what", "remedy"}) {
      EXPECT_NE(finding.at(key), "");
      EXPECT_NE(text.find(finding.at(key).get<std::string>()), std::string::npos) << text;
    }
  }
}

/// All codes of warnings on a robot.
std::set<std::string> warnings_on(const std::string& file) {
  std::set<std::string> codes;
  const Json report = check_json({file});
  for (const Json& finding : report.at("findings")) {
    if (finding.at("severity") == "warning") codes.insert(finding.at("code").get<std::string>());
  }
  return codes;
}

TEST(Check, FindsTheMillimetres) {
  // A CAD program wrote the lengths of this arm in millimetres.
  std::string urdf = urdf_text("arm6");
  std::string in_millimetres;
  for (std::size_t i = 0; i < urdf.size();) {
    const std::size_t origin = urdf.find("xyz=\"", urdf.find("<origin", i));
    if (origin == std::string::npos || urdf.find("<origin", i) == std::string::npos) {
      in_millimetres += urdf.substr(i);
      break;
    }
    const std::size_t begin = origin + 5, end = urdf.find('"', begin);
    std::istringstream numbers(urdf.substr(begin, end - begin));
    double x = 0.0, y = 0.0, z = 0.0;
    ASSERT_TRUE(numbers >> x >> y >> z);
    in_millimetres += urdf.substr(i, begin - i) + std::to_string(1e3 * x) + " " +
                      std::to_string(1e3 * y) + " " + std::to_string(1e3 * z);
    i = end;
  }
  const TemporaryFile wrong(in_millimetres);
  EXPECT_EQ(warnings_on(wrong.path()),
            (std::set<std::string>{"millimetres", "weight_exceeds_effort"}));
  EXPECT_TRUE(warnings_on(shipped_urdf("arm6")).empty());
  const std::string text = run_cli({"check", wrong.path()}).output;
  EXPECT_NE(text.find("millimetres?"), std::string::npos) << text;
}

TEST(Check, ShippedRobotsHaveNoWarnings) {
  for (const char* name :
       {"double_pendulum", "arm6", "arm7", "gripper", "gantry", "quadruped", "humanoid"}) {
    EXPECT_EQ(warnings_on(shipped_urdf(name)), std::set<std::string>()) << name;
  }
}

TEST(Check, PlotsTheTree) {
  const TemporaryFile folder("");
  const std::string picture = folder.path() + ".svg";
  const std::string robot = shipped_urdf("humanoid");
  const Outcome outcome = run_cli({"check", robot, "--plot", picture});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, run_cli({"check", robot}).output);
  EXPECT_EQ(text_of(picture).substr(0, 4), "<svg");
  std::filesystem::remove(picture);
  EXPECT_EQ(run_cli({"check", robot, "--plot", "tree.pdf"}).exit_code, 2);
}

TEST(Check, ReadsStandardInput) {
  std::stringstream urdf;
  urdf << std::ifstream(shipped_urdf("arm6")).rdbuf();
  const Outcome outcome = run_cli({"check", "-", "--json"}, urdf.str());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, run_cli({"check", shipped_urdf("arm6"), "--json"}).output);
}

/// Rejected: exit code 1, nothing on standard output, one line on standard error with this in it.
void expect_rejected(const Outcome& outcome, const std::string& says) {
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_NE(outcome.errors.find(says), std::string::npos) << outcome.errors;
  ASSERT_FALSE(outcome.errors.empty());
  EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
}

TEST(Check, ErrorIsOneSentenceWithTheElement) {
  const std::string base = urdf_link("base", "");
  const std::string arm = urdf_link("forearm", urdf_inertial("1"));
  const std::string joint = urdf_joint("elbow", "revolute", "base", "forearm");
  const std::vector<std::pair<std::string, std::string>> cases{
      {urdf_robot(base + urdf_link("forearm", urdf_inertial("nan")) + joint), "'forearm'"},
      {urdf_robot(base + urdf_link("forearm", urdf_inertial("-1")) + joint), "'forearm'"},
      {urdf_robot(base + arm + urdf_joint("elbow", "bendy", "base", "forearm")), "'elbow'"},
      {urdf_robot(base + arm + urdf_joint("elbow", "revolute", "base", "hand")), "'hand'"},
      {urdf_robot(
           base + arm +
           urdf_joint("elbow", "revolute", "base", "forearm", "<mimic joint=\"shoulder\"/>")),
       "'shoulder'"},
      {urdf_robot(base + base + arm + joint), "'base'"},
      {"", ""},
      {"<robot name=\"tiny\">", ""},
      {"not XML", ""},
  };
  for (const auto& [urdf, says] : cases) {
    const TemporaryFile file(urdf);
    expect_rejected(run_cli({"check", file.path()}), says);
    expect_rejected(run_cli({"check", "--json", file.path()}), says);
    expect_rejected(run_cli({"compute", file.path()}, "{\"q\":[0],\"a\":[0]}\n"), says);
    expect_rejected(run_cli({"check", "-"}, urdf), says);
  }
}

TEST(Check, ErrorNamesAMissingFile) {
  expect_rejected(run_cli({"check", "/nowhere/robot.urdf"}), "/nowhere/robot.urdf");
  expect_rejected(run_cli({"check", "/"}), "/");
  expect_rejected(run_cli({"compute", "/nowhere/robot.urdf"}), "/nowhere/robot.urdf");
}

TEST(Check, RejectsOptionsWithUnknownNames) {
  const std::string arm = shipped_urdf("arm7");
  expect_rejected(run_cli({"check", arm, "--armature", "knee=1"}), "'knee'");
  expect_rejected(run_cli({"check", arm, "--lock", "knee=1"}), "'knee'");
  expect_rejected(run_cli({"check", arm, "--payload", "foot=1"}), "'foot'");
  expect_rejected(run_cli({"check", arm, "--payload", "flange=-1"}), "'flange'");
}

TEST(Check, StrictRejectsInconsistentInertias) {
  // Principal moments (0.1, 0.1, 0.9) are physically inconsistent.
  const std::string impossible =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.9\" ixy=\"0\" "
      "ixz=\"0\" iyz=\"0\"/></inertial>";
  const TemporaryFile robot(urdf_robot(urdf_link("base", "") + urdf_link("forearm", impossible) +
                                       urdf_joint("elbow", "revolute", "base", "forearm")));
  const Json report = check_json({robot.path()});
  EXPECT_EQ(report.at("findings").at(0).at("element"), "link 'forearm'");
  expect_rejected(run_cli({"check", "--strict", robot.path()}), "'forearm'");
  expect_rejected(run_cli({"compute", "--strict", robot.path()}), "'forearm'");
}

/// Only the subcommands that do not list the findings print a note.
TEST(Check, WrongUnitsFailWithStrictAndAreNotedByOthers) {
  std::string urdf = text_of(shipped_urdf("arm6"));
  const std::string metres = "-0.425 0 0\"";
  const std::size_t at = urdf.find(metres);
  ASSERT_NE(at, std::string::npos);
  const TemporaryFile robot(urdf.replace(at, metres.size(), "-425 0 0\""));
  EXPECT_EQ(run_cli({"check", robot.path()}).exit_code, 0);
  const Outcome strict = run_cli({"check", "--strict", robot.path()});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_NE(strict.output.find("millimetres?"), std::string::npos) << strict.output;
  EXPECT_NE(strict.errors.find("findings on wrong units"), std::string::npos) << strict.errors;
  const std::string note = "note: 1 serious finding in " + robot.path() +
                           "; `spatial_dynamics check " + robot.path() + "` lists it\n";
  const std::string state = R"({"q":[0,0,0,0,0,0],"a":[0,0,0,0,0,0]})";
  EXPECT_EQ(run_cli({"compute", robot.path()}, state).errors, note);
  EXPECT_EQ(run_cli({"compute", shipped_urdf("arm6")}, state).errors, "");
}

}  // namespace
}  // namespace spatial_dynamics::test
