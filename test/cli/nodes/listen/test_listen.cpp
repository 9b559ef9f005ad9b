// `listen` with running nodes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/process.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {
namespace {

class Listen : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("ROS_DOMAIN_ID", std::to_string(test_domain()).c_str(), 1);
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  }
};

TEST_F(Listen, PrintsTheTorquesOfANodeAndEnds) {
  const std::string urdf = shipped_urdf("arm7");
  Process robot({"simulate", "--dds", urdf});
  Process node({"run", "--urdf", urdf, "--mode", "gravity_compensation"});
  Process torques({"listen", "--count", "2"});
  const Outcome states = run_cli({"listen", "joint_states", "--count", "1"});
  std::string output, errors;
  torques.exchange("", output, errors);
  EXPECT_EQ(torques.wait(), 0) << errors;
  EXPECT_EQ(states.exit_code, 0) << states.errors;
  std::istringstream lines(output);
  std::string first, second, third;
  ASSERT_TRUE(std::getline(lines, first) && std::getline(lines, second)) << output << errors;
  EXPECT_FALSE(std::getline(lines, third));

  // With gravity compensation the robot does not move.
  const Model model = load_urdf_file(urdf);
  const Json position = Json::parse(states.output).at("position");
  VectorXd q = neutral_configuration(model);
  for (const Index i : model.coordinate_joints()) {
    q(model.joint(i).q_index) = position.at(model.joint(i).name);
  }
  textbook::Data data(model);
  const VectorXd& gravity = gravity_torque(model, data, q);
  const Json effort = Json::parse(second).at("effort");
  for (const Index i : model.coordinate_joints()) {
    const double torque = effort.at(model.joint(i).name);
    EXPECT_NEAR(torque, gravity(model.joint(i).v_index), 1e-6);
  }
  for (Process* const process : {&node, &robot}) process->send(SIGINT);
}

TEST_F(Listen, PrintsEveryTypeThatANodePublishes) {
  const std::string urdf = shipped_urdf("arm7");
  Process robot({"simulate", "--dds", urdf, "--floating-base", "--gravity", "0,0,0", "--ros-args",
                 "-p", "publish_clock:=true"});
  Process node({"run", urdf, "--floating-base", "--gravity", "0,0,0", "--ros-args", "-p",
                "publish.mass_matrix:=true"});
  const std::vector<std::pair<std::string, std::vector<std::string>>> topics{
      {"/diagnostics", {"stamp", "status"}},
      {"dynamics/acceleration", {"stamp", "points"}},
      {"dynamics/base/acceleration", {"linear", "angular"}},
      {"dynamics/base/wrench", {"force", "torque"}},
      {"dynamics/mass_matrix", {"dimensions", "data"}},
      {"odom", {"position", "orientation"}},
      {"/clock", {"clock"}}};
  for (const auto& [topic, keys] : topics) {
    const Outcome outcome = run_cli({"listen", topic, "--count", "1", "--seconds", "20"});
    ASSERT_EQ(outcome.exit_code, 0) << topic << ": " << outcome.errors;
    const Json line = Json::parse(outcome.output);
    for (const std::string& key : keys) EXPECT_TRUE(line.contains(key)) << topic << ": " << line;
  }
  // Five metrics arrive at once; --rate drops none.
  const Outcome statistics = run_cli({"listen", "dynamics/statistics", "--count", "5"});
  for (const char* const metric :
       {"state_age", "wakeup_jitter", "compute_time", "state_to_torque", "overruns"}) {
    EXPECT_NE(statistics.output.find(metric), std::string::npos) << statistics.output;
  }
  for (Process* const process : {&node, &robot}) process->send(SIGINT);
}

/// Also if the time ends before the warning of a longer run.
TEST_F(Listen, WarnsIfNoNodePublishes) {
  const Outcome outcome = run_cli({"listen", "nothing/here", "--seconds", "0.3"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("no node publishes /nothing/here in domain"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.output, "");
}

}  // namespace
}  // namespace spatial_dynamics::test
