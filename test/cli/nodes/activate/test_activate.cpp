// `activate` and `deactivate` on the command line; test/node has them with a node.
#include <gtest/gtest.h>

#include "cli/process.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Activate, HelpOfBothHasExamplesAndExitCodes) {
  for (const char* const command : {"activate", "deactivate"}) {
    const Outcome help = run_cli({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const char* const word : {"Example:", "/dynamics", "set_active", "Exit code: 0"}) {
      EXPECT_NE(help.output.find(word), std::string::npos) << command << ": " << word;
    }
  }
}

TEST(Activate, RejectsTwoNodesAndInvalidNames) {
  EXPECT_EQ(run_cli({"activate", "/a", "/b"}).exit_code, 2);
  const Outcome outcome = run_cli({"activate", "no name"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("no name"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
