// `identify` with logs whose efforts or mount are wrong: a fit of a payload would mislead.
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

Outcome identify(const RobotLog& log, const std::string& params) {
  return run_cli({"identify", shipped_urdf("arm7"), "-", "--params", params},
                 csv(log, arm7().joint_names()));
}

TEST(IdentifyFaults, GivesNoAdviceForEffortsOfOppositeSign) {
  RobotLog log = record(arm7(), arm7());
  log.effort *= -1.0;
  const TemporaryFile params("");
  const Outcome outcome = identify(log, params.path());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("Correct this first, because it makes a fit meaningless:\n"
                                "  efforts of 'shoulder_yaw'"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("Residual efforts"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("correct the masses"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.errors.find("correct the log, the model or the mount first"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(text_of(params.path()), "");
}

TEST(IdentifyFaults, PrintsNoPayloadForEffortsInAnotherUnit) {
  RobotLog log = record(arm7(), arm7());
  log.effort *= 8.85;  // lbf in
  const TemporaryFile params("");
  const Outcome outcome = identify(log, params.path());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output.find("send payload"), std::string::npos) << outcome.output;
  EXPECT_EQ(text_of(params.path()), "");
}

TEST(IdentifyFaults, ExitsWithOneAndWithoutAFitForOneJointInAnotherUnit) {
  RobotLog log = record(arm7(), arm7());
  log.effort.row(1) *= 1000.0;
  const Outcome outcome =
      run_cli({"identify", shipped_urdf("arm7"), "-"}, csv(log, arm7().joint_names()));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("efforts of 'shoulder_pitch' are 1000 times"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("Payload on"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace spatial_dynamics::test
