// `run` as a user starts it: the ways to give a robot.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Run, AcceptsTheRobotAsArgumentOrOption) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "/nowhere/at/all.urdf", "--seconds", "0.1"},
        std::vector<std::string>{"run", "--urdf", "/nowhere/at/all.urdf", "--seconds", "0.1"}}) {
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("'/nowhere/at/all.urdf' does not exist"), std::string::npos)
        << outcome.errors;
  }
}

TEST(Run, ReportsAnUnreadableFileAsCheckDoes) {
  const TemporaryFile empty("");
  for (const std::string& file : {std::string("/no/such.urdf"), std::string("/"), empty.path()}) {
    const std::string said = run_cli({"check", file}).errors;
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", file}, std::vector<std::string>{"run", "--urdf", file},
          std::vector<std::string>{"simulate", "--dds", file},
          std::vector<std::string>{"demo", "--urdf", file}}) {
      const Outcome outcome = run_cli(command);
      EXPECT_EQ(outcome.exit_code, 1) << command[0];
      EXPECT_EQ(outcome.errors, said) << command[0];
    }
  }
}

TEST(Run, NamesTheParameterIfItGaveTheFile) {
  const Outcome outcome = run_cli({"run", "--ros-args", "-p", "urdf_file:=/no/such.urdf"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("parameter urdf_file: file '/no/such.urdf' does not exist"),
            std::string::npos)
      << outcome.errors;
}

TEST(Run, RejectsTwoValuesOfOneParameter) {
  struct Case {
    const char *parameter, *option, *value, *other;
  };
  for (const Case& c : {Case{"gravity", "--gravity", "0,0,9.8", "[0.0,0.0,-1.0]"},
                        Case{"armature.elbow", "--armature", "elbow=0.1", "0.2"},
                        Case{"payloads.masses", "--payload", "flange=1.5", "[2.0]"},
                        Case{"locked.positions", "--lock", "elbow=-1", "[-2.0]"},
                        Case{"rate_hz", "--rate", "500", "200"},
                        Case{"torque_mode", "--mode", "computed_torque", "gravity_compensation"},
                        Case{"urdf_file", "--urdf", "urdf/arm7.urdf", "urdf/arm6.urdf"}}) {
    for (const char* const command : {"run", "demo"}) {
      std::vector<std::string> arguments{
          command, c.option,     c.value, "--seconds",
          "0.1",   "--ros-args", "-p",    std::string(c.parameter) + ":=" + c.other};
      if (c.parameter != std::string("urdf_file")) {
        arguments.insert(arguments.begin() + 1, {"--urdf", shipped_urdf("arm7")});
      }
      const Outcome outcome = run_cli(arguments);
      EXPECT_EQ(outcome.exit_code, 1) << command << ' ' << c.option;
      EXPECT_NE(outcome.errors.find("parameter '" + std::string(c.parameter) + "' is given by "),
                std::string::npos)
          << command << ' ' << c.option << ": " << outcome.errors;
    }
  }
}

TEST(Run, DemoRejectsPipe) {
  const std::string pipe =
      ::testing::TempDir() + "spatial_dynamics_demo_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Outcome outcome = run_cli({"demo", "--urdf", pipe});
  std::filesystem::remove(pipe);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("'" + pipe + "' is not a regular file"), std::string::npos)
      << outcome.errors;
}

TEST(Run, RejectsTwoRobots) {
  const Outcome outcome = run_cli({"run", "a.urdf", "--urdf", "b.urdf"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.errors;
  EXPECT_NE(outcome.errors.find("--urdf"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
