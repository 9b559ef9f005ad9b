// `run` as a user starts it: the ways to give a robot.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"

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
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--ros-args", "-p", "urdf_file:=/no/such.urdf"},
        std::vector<std::string>{"run", "/", "--ros-args", "-p", "urdf_file:=/no/such.urdf"}}) {
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.errors.find("parameter urdf_file: file '/no/such.urdf' does not exist"),
              std::string::npos)
        << outcome.errors;
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
