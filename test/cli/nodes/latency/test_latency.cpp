// `spatial_dynamics latency` as a user starts it. The figures depend on the machine, so the tests
// only check that all of them are measured.
#include <gtest/gtest.h>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Latency, MeasuresNodeEchoAndLoopInOneRun) {
  const Outcome run = run_cli({"latency", "--rounds", "2", "--trips", "50", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const Json report = Json::parse(run.output);
  EXPECT_EQ(report["joints"], 7);
  EXPECT_LE(report["largest_difference"], 1e-9);
  EXPECT_GT(report["torques_compared"], 100);
  for (const char* const peer : {"node", "echo"}) {
    const Json& trips = report["trigger_state"][peer];
    EXPECT_EQ(trips["count"].get<int>() + trips["lost"].get<int>(), 100) << peer;
    EXPECT_GT(trips["count"], 50) << peer;
    EXPECT_GT(trips["min"], 0.0) << peer;
    EXPECT_LE(trips["min"], trips["p50"]) << peer;
    EXPECT_LE(trips["p50"], trips["p99"]) << peer;
  }
  const Json& ratio = report["trigger_state"]["ratio"];
  EXPECT_LE(ratio["p10"], ratio["median"]);
  EXPECT_LE(ratio["median"], ratio["p90"]);
  const Json& loop = report["fixed_rate"];
  for (const char* const part : {"compute_time", "state_wait", "wakeup_jitter", "round_trip"}) {
    EXPECT_GT(loop[part]["count"], 50) << part;
    EXPECT_GT(loop[part]["p50"], 0.0) << part;
  }
  // A state waits for half a period on average, and for no longer than a period unless the machine
  // stalls.
  EXPECT_GT(loop["state_wait"]["p50"], 50.0);
  EXPECT_LT(loop["state_wait"]["p50"], 2000.0);
  EXPECT_GT(loop["round_trip"]["p50"], loop["compute_time"]["p50"]);
}

TEST(Latency, PrintsATableForPeople) {
  const Outcome run =
      run_cli({"latency", "--rounds", "1", "--trips", "20", "--urdf",
               std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  for (const char* const words : {"double_pendulum, 2 joints", "node, trigger: state", "bare echo",
                                  "compute time", "state wait"}) {
    EXPECT_NE(run.output.find(words), std::string::npos) << run.output;
  }
  EXPECT_EQ(run.errors, "");
}

TEST(Latency, RejectsUnreadableAndRigidRobots) {
  const Outcome missing = run_cli({"latency", "--urdf", "/no/such/robot.urdf"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.errors.find("/no/such/robot.urdf"), std::string::npos);
  const TemporaryFile rigid(urdf_robot(urdf_link("base", "")));
  const Outcome still = run_cli({"latency", "--urdf", rigid.path()});
  EXPECT_EQ(still.exit_code, 1);
  EXPECT_NE(still.errors.find("no joint that moves"), std::string::npos) << still.errors;
  EXPECT_EQ(run_cli({"latency", "--rounds", "0"}).exit_code, 2);
}

}  // namespace
}  // namespace spatial_dynamics::test
