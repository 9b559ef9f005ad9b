// `run` as a user starts it: which robot it takes.
#include <gtest/gtest.h>

#include "../process.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Run, TakesTheRobotAsAnArgumentOrByName) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "/nowhere/at/all.urdf", "--seconds", "0.1"},
        std::vector<std::string>{"run", "--urdf", "/nowhere/at/all.urdf", "--seconds", "0.1"}}) {
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("'/nowhere/at/all.urdf' can't be read"), std::string::npos)
        << outcome.errors;
  }
}

TEST(Run, RefusesTwoRobots) {
  const Outcome outcome = run_cli({"run", "a.urdf", "--urdf", "b.urdf"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.errors;
  EXPECT_NE(outcome.errors.find("--urdf"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
