// Output of `listen` for a running node and for unusual messages.
#include "cli/nodes/listen/listen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/process.hpp"
#include "dds/message.hpp"
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

TEST(JsonLine, HasTheNumbersOfTheMessageByJointName) {
  dds::Message<dds::JointState> message;
  message->header.stamp = dds::from_nanoseconds(1'760'000'000'000'000'001);
  dds::assign(message->name, std::vector<std::string>{"a \"b\"", "elbow"});
  dds::assign(message->effort, std::vector<double>{0.25, NAN});
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":1760000000.000000001,"effort":{"a \"b\"":0.25,"elbow":null}})");
}

TEST(JsonLine, IgnoresNumbersWithoutAName) {
  dds::Message<dds::JointState> message;
  dds::assign(message->name, std::vector<std::string>{"elbow"});
  dds::assign(message->position, std::vector<double>{1.5, 2.5});
  EXPECT_EQ(cli::json_line(*message), R"({"stamp":0.000000000,"position":{"elbow":1.5}})");
}

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

TEST_F(Listen, WarnsIfNoNodePublishes) {
  const Outcome outcome = run_cli({"listen", "nothing/here", "--seconds", "2.5"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("no node publishes /nothing/here in domain"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.output, "");
}

}  // namespace
}  // namespace spatial_dynamics::test
