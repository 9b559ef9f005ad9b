// The command line itself: help, version, usage, options.
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>

#include "process.hpp"
#include "robot_file.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Main, VersionIsOneLine) {
  const Outcome outcome = run_cli({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(
      std::regex_match(outcome.output, std::regex("spatial_dynamics [0-9]+\\.[0-9]+\\.[0-9]+\n")))
      << outcome.output;
}

TEST(Main, ExampleInHelpWorks) {
  const std::regex example(
      "echo '([^']*)' *\\|\\s*spatial_dynamics compute urdf/([a-z_0-9]+)\\.urdf");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"compute", "--help"}}) {
    const Outcome help = run_cli(arguments);
    EXPECT_EQ(help.exit_code, 0);
    std::smatch match;
    ASSERT_TRUE(std::regex_search(help.output, match, example)) << help.output;
    const Outcome outcome = run_cli({"compute", shipped_urdf(match[2])}, match[1].str() + "\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_TRUE(outcome.lines().at(0).contains("id"));
  }
  const Outcome check = run_cli({"check", "--help"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_NE(check.output.find("spatial_dynamics check urdf/double_pendulum.urdf"),
            std::string::npos);
}

TEST(Main, HelpOfComputeNamesEveryQuantity) {
  const std::string help = run_cli({"compute", "--help"}).output;
  const std::string unknown = run_cli({"compute", pendulum_file()}, R"({"q":[0,0],"want":["?"]})")
                                  .lines()
                                  .at(0)
                                  .at("error");
  std::istringstream wants(unknown.substr(unknown.find("among ") + 6));
  int count = 0;
  for (std::string want; wants >> want; ++count) {
    EXPECT_NE(help.find(want), std::string::npos) << want;
  }
  EXPECT_EQ(count, 19);
}

TEST(Main, HelpOfComputeDescribesPlanarJointsMimicJointsAndBlankLines) {
  const std::string help = run_cli({"compute", "--help"}).output;
  for (const char* word : {"planar", "mimic", "blank"}) {
    EXPECT_NE(help.find(word), std::string::npos) << word;
  }
}

TEST(Main, SuggestsTheNearestSubcommand) {
  const Outcome chek = run_cli({"chek", pendulum_file()});
  EXPECT_EQ(chek.exit_code, 2);
  EXPECT_NE(chek.errors.find("did you mean 'check'?"), std::string::npos) << chek.errors;
  const Outcome robot = run_cli({"my_robot.urdf"});
  EXPECT_EQ(robot.exit_code, 2);
  EXPECT_NE(robot.errors.find("demo --urdf my_robot.urdf"), std::string::npos) << robot.errors;
}

TEST(Main, TooLittleMemoryGivesAnError) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes more addresses than that";
#ifdef SPATIAL_DYNAMICS_EMULATED
  GTEST_SKIP() << "so does an emulator";
#endif
  // 5000 joints need several matrices of 200 MB each.
  std::string content = urdf_link("l0", "");
  for (int i = 1; i <= 5000; ++i) {
    const std::string child = "l" + std::to_string(i);
    content += urdf_link(child, urdf_inertial("1"));
    content += urdf_joint("j" + std::to_string(i), "revolute", "l" + std::to_string(i - 1), child);
  }
  const TemporaryFile robot(urdf_robot(content));
  const std::string command = "ulimit -v 400000; '" + std::string(SPATIAL_DYNAMICS_CLI_PATH) +
                              "' compute '" + robot.path() + "' 2>&1 </dev/null; echo exit $?";
  FILE* const shell = ::popen(command.c_str(), "r");
  ASSERT_NE(shell, nullptr);
  std::string said;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  ::pclose(shell);
  EXPECT_TRUE(std::regex_match(said, std::regex("[^\n]*not enough memory[^\n]*; [^\n]*\nexit 1\n")))
      << said;
}

TEST(Main, AnUnknownInstructionSetGivesOneWarning) {
  const auto errors = [](const char* isa, const std::vector<std::string>& arguments) {
    ::setenv("SPATIAL_DYNAMICS_ISA", isa, 1);
    const Outcome outcome = run_cli(arguments, R"({"q":[0,0],"v":[0,0],"a":[0,0]})");
    ::unsetenv("SPATIAL_DYNAMICS_ISA");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return outcome.errors;
  };
  const std::vector<std::string> compute{"compute", pendulum_file()};
  const std::vector<std::string> simulate{"simulate", pendulum_file(), "--seconds", "0.01"};
  const std::regex remark("SPATIAL_DYNAMICS_ISA=foo is not one of [^\n]*; using [^\n]*\n");
  EXPECT_TRUE(std::regex_match(errors("foo", compute), remark)) << errors("foo", compute);
  EXPECT_TRUE(std::regex_match(errors("foo", simulate), remark)) << errors("foo", simulate);
  EXPECT_EQ(errors(available_isas().front().c_str(), compute), "");
}

/// Standard error and exit code of a command whose output goes to `target`.
std::string said_of_output_to(const std::string& target, const std::string& arguments) {
  const std::string command = "'" + std::string(SPATIAL_DYNAMICS_CLI_PATH) + "' " + arguments +
                              " 2>&1 >" + target + "; echo exit $?";
  FILE* const shell = ::popen(command.c_str(), "r");
  std::string said;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  ::pclose(shell);
  return said;
}

TEST(Main, EveryCommandReportsLostOutput) {
  const TemporaryFile log("");
  const std::string simulate = "simulate " + pendulum_file() + " --position 1 --seconds 1";
  ASSERT_EQ(said_of_output_to("/dev/null", simulate + " --csv " + log.path()), "exit 0\n");
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("compute --help"),
        "check " + pendulum_file(), std::string("body tumble --seconds 0.1"), simulate,
        "replay " + pendulum_file() + " " + log.path(),
        "identify " + pendulum_file() + " " + log.path()}) {
    EXPECT_EQ(said_of_output_to("/dev/full", arguments),
              "the output can't be written: No space left on device\nexit 1\n")
        << arguments;
    EXPECT_EQ(said_of_output_to("/dev/null", arguments), "exit 0\n") << arguments;
  }
}

TEST(Main, AClosedReaderIsNotAFailure) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"},
        std::vector<std::string>{"body", "tumble", "--seconds", "1"}}) {
    Process process(arguments);
    process.close_output();
    EXPECT_EQ(process.read_errors(), "") << arguments[0];
    EXPECT_EQ(process.wait(), 0) << arguments[0];
  }
}

TEST(Main, UsageErrorsExitWithTwoAndAReason) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{}, "subcommand"},
      {{"chekc", pendulum_file()}, "chekc"},
      {{"check"}, "robot"},
      {{"check", pendulum_file(), "--jsn"}, "--jsn"},
      {{"check", pendulum_file(), "another.urdf"}, "another.urdf"},
      {{"check", pendulum_file(), "--armature", "elbow"}, "JOINT=VALUE"},
      {{"check", pendulum_file(), "--armature", "elbow=heavy"}, "'heavy'"},
      {{"check", pendulum_file(), "--armature", "elbow=nan"}, "'nan'"},
      {{"check", pendulum_file(), "--armature", "elbow="}, "''"},
      {{"check", pendulum_file(), "--armature", "elbow=1,2"}, "one number"},
      {{"check", pendulum_file(), "--armature", "elbow=1", "--armature", "elbow=2"}, "twice"},
      {{"check", pendulum_file(), "--lock", "=1"}, "JOINT=VALUE"},
      {{"check", pendulum_file(), "--payload", "tip=1,2"}, "LINK=MASS"},
      {{"compute"}, "robot"},
      {{"compute", "-"}, "standard input"},
      {{"compute", pendulum_file(), "--gravity", "0", "0"}, "--gravity: expects X,Y,Z, not '0,0'"},
      {{"compute", pendulum_file(), "--lock"}, "--lock expects JOINT=VALUE\n"},
      {{"compute", pendulum_file(), "--gravity", "0,0,inf"}, "'inf'"},
      {{"compute", pendulum_file(), "--backend", "quantum"}, "textbook"},
      {{"compute", pendulum_file(), "--input", "/nowhere/states"}, "/nowhere/states"}};
  for (const auto& [arguments, says] : cases) {
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << says << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    EXPECT_NE(outcome.errors.find(says), std::string::npos) << says << ": " << outcome.errors;
  }
}

TEST(Main, UnknownArgumentsAreListedInTheirOrder) {
  const Outcome outcome = run_cli({"check", pendulum_file(), "--first", "1", "--second"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.errors.find("check does not take these arguments: --first 1 --second\n"),
            std::string::npos)
      << outcome.errors;
  const Outcome nested = run_cli({"body", "tumble", "--zig", "--zag"});
  EXPECT_NE(nested.errors.find("tumble does not take these arguments: --zig --zag\n"),
            std::string::npos)
      << nested.errors;
}

TEST(Main, GenerateNeedsAFolder) {
  const Outcome outcome = run_cli({"generate", pendulum_file(), "-o", "-"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.errors.find("give a folder"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST(Main, OptionsMayPrecedeOrFollowTheRobot) {
  const std::string line = R"({"q":[0.5,0.5],"want":["gravity"]})";
  const Outcome before = run_cli(
      {"compute", "--armature", "elbow=1", "--gravity", "0", "0", "-1.62", pendulum_file()}, line);
  const Outcome after = run_cli(
      {"compute", pendulum_file(), "--gravity", "0", "0", "-1.62", "--armature", "elbow=1"}, line);
  EXPECT_EQ(before.exit_code, 0) << before.errors;
  EXPECT_EQ(before.output, after.output);
}

TEST(Main, GravityIsTheVectorGiven) {
  const std::string line = R"({"q":[0,0],"want":["gravity"]})";
  const auto torque = [&line](const std::vector<std::string>& gravity) {
    std::vector<std::string> arguments{"compute", pendulum_file(), "--gravity"};
    arguments.insert(arguments.end(), gravity.begin(), gravity.end());
    return run_cli(arguments, line).lines().at(0).at("gravity").at(0).get<double>();
  };
  // Hanging straight down, each kilogram at its depth: 2 kg at 0.5 m, 1 kg at 1.5 m.
  EXPECT_EQ(torque({"0", "0", "-9.81"}), 0.0);
  EXPECT_NEAR(std::abs(torque({"-2.0", "0", "0"})), 2.0 * 2.5, 1e-14);
  EXPECT_EQ(torque({"-2.0", "0", "0"}), -torque({"2", "-.5", "+1e-3"}));
}

TEST(Main, RejectsUnknownBackends) {
  const std::string line = R"({"q":[0.5,0.5],"a":[0,0]})";
  const Outcome chosen = run_cli({"compute", pendulum_file(), "--backend", "textbook"}, line);
  EXPECT_EQ(chosen.exit_code, 0) << chosen.errors;
  EXPECT_EQ(chosen.output, run_cli({"compute", pendulum_file()}, line).output);
}

TEST(Main, ARotorAddsItsInertiaTimesAcceleration) {
  const std::string line = R"({"q":[0.5,0.5],"a":[0,3]})";
  const auto torque = [&line](const std::vector<std::string>& arguments) {
    return run_cli(arguments, line).lines().at(0).at("id").at(1).get<double>();
  };
  EXPECT_NEAR(torque({"compute", pendulum_file(), "--armature", "elbow=0.5"}),
              torque({"compute", pendulum_file()}) + 1.5, 1e-13);
}

TEST(Main, NoFrictionRemovesExactlyTheFriction) {
  const std::string line = R"({"q":[0.1,0.02],"v":[0.5,-0.03],"a":[0,0],"tau":[1,1]})";
  const Json with = run_cli({"compute", shipped_urdf("gripper")}, line).lines().at(0);
  const Json without =
      run_cli({"compute", shipped_urdf("gripper"), "--no-friction"}, line).lines().at(0);
  // The wrist's damping and friction as described; 0.5 rad/s is far above the friction speed.
  EXPECT_NEAR(with["id"][0].get<double>() - without["id"][0].get<double>(), 0.05 * 0.5 + 0.1,
              1e-14);
  EXPECT_LT(with["id"][1].get<double>(), without["id"][1].get<double>());
  EXPECT_LT(with["fd"][0].get<double>(), without["fd"][0].get<double>());
}

TEST(Main, APayloadAddsItsWeight) {
  // 0.5 kg at the tip, 2 m below the shoulder, pulled sideways.
  const std::string line = R"({"q":[0,0],"want":["gravity"]})";
  const auto torque = [&line](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--gravity", "3", "0", "0"});
    return run_cli(arguments, line).lines().at(0).at("gravity").at(0).get<double>();
  };
  EXPECT_NEAR(torque({"compute", pendulum_file(), "--payload", "tip=0.5"}) -
                  torque({"compute", pendulum_file()}),
              0.5 * 2.0 * 3.0, 1e-13);
  EXPECT_NEAR(torque({"compute", pendulum_file(), "--payload", "tip=0.5,0,0,-0.25"}) -
                  torque({"compute", pendulum_file()}),
              0.5 * 2.25 * 3.0, 1e-13);
}

TEST(Main, ALockedJointHasTheGivenPosition) {
  const Json free =
      run_cli({"compute", pendulum_file()}, R"({"q":[0.3,0.7],"a":[1,0]})").lines().at(0);
  const Json locked =
      run_cli({"compute", pendulum_file(), "--lock", "elbow=0.7"}, R"({"q":[0.3],"a":[1]})")
          .lines()
          .at(0);
  ASSERT_EQ(locked.at("id").size(), 1U);
  EXPECT_NEAR(locked["id"][0].get<double>(), free["id"][0].get<double>(), 1e-13);
}

}  // namespace
}  // namespace spatial_dynamics::test
