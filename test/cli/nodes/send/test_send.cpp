// A gripper and a wall mount on the command line: `send` and the options of `run`, with a node.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {
namespace {

Payload gripper(double mass, const Vector3& center) {
  Payload payload;
  payload.link = "flange";
  payload.mass_properties.mass = mass;
  payload.mass_properties.com = center;
  return payload;
}

/// The node /arm with a simulated robot that does not receive its torques, so that its brakes stay
/// on.
class Send : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("ROS_DOMAIN_ID", std::to_string(test_domain()).c_str(), 1);
    ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    robot_ = std::make_unique<Process>(std::vector<std::string>{"simulate", "--dds", urdf_});
  }
  void TearDown() override {
    for (const auto& process : {node_.get(), robot_.get()}) {
      if (process != nullptr) process->send(SIGINT);
    }
  }
  explicit Send(const char* robot = "arm7") : urdf_(shipped_urdf(robot)) {}
  void start_node(const std::vector<std::string>& options,
                  const std::vector<std::string>& ros_arguments = {}) {
    std::vector<std::string> arguments{"run", urdf_, "--mode", mode_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--ros-args", "-r", "__node:=arm", "-p", "rate_hz:=200",
                                       "-p", "state_timeout_s:=10.0"});
    arguments.insert(arguments.end(), ros_arguments.begin(), ros_arguments.end());
    node_ = std::make_unique<Process>(arguments);
  }
  static Json listen(const std::string& topic) {
    const Outcome outcome = run_cli({"listen", topic, "--count", "1", "--seconds", "20"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return Json::parse(outcome.output);
  }
  /// Compares with the weight of the robot that is loaded with these options. The node ramps its
  /// torque after a change.
  void expect_weight(const LoadOptions& options) {
    const Model model = load_urdf_file(urdf_, options);
    const Json position = listen("joint_states").at("position");
    VectorXd q = neutral_configuration(model);
    for (const Index i : model.coordinate_joints()) {
      q(model.joint(i).q_index) = position.at(model.joint(i).name);
    }
    textbook::Data data(model);
    const VectorXd expected = gravity_torque(model, data, q);
    double error = 1.0;
    for (int attempt = 0; attempt < 50 && error > 1e-6; ++attempt) {
      const Json effort = listen("arm/torque").at("effort");
      error = 0.0;
      for (const Index i : model.coordinate_joints()) {
        const double torque = effort.at(model.joint(i).name);
        error = std::max(error, std::abs(torque - expected(model.joint(i).v_index)));
      }
    }
    EXPECT_LT(error, 1e-6);
  }
  static Outcome send(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "send");
    arguments.insert(arguments.end(), {"--node", "/arm"});
    return run_cli(arguments);
  }

  const std::string urdf_;
  std::string mode_ = "gravity_compensation";
  std::unique_ptr<Process> robot_, node_;
};

TEST_F(Send, GripperCountsFromTheStartUntilItIsReplacedOrRemoved) {
  start_node({"--payload", "flange=1.5,0,0,0.05"});
  LoadOptions options;
  options.payloads = {gripper(1.5, {0.0, 0.0, 0.05})};
  expect_weight(options);

  const Outcome replaced = send({"payload", "flange=2,0,0.01,0.1"});
  EXPECT_EQ(replaced.exit_code, 0) << replaced.errors;
  EXPECT_EQ(replaced.output,
            "/arm: payload on link 'flange': 2 kg at [0, 0.01, 0.1] m, set on ~/payload by "
            "/sender\n");
  options.payloads = {gripper(2.0, {0.0, 0.01, 0.1})};
  expect_weight(options);

  EXPECT_EQ(send({"payload", "flange=0"}).exit_code, 0);
  expect_weight({});
}

TEST_F(Send, WallMountHasItsGravityFromTheStartOrByMessage) {
  start_node({"--gravity", "-9.80665,0,0"});
  LoadOptions options;
  options.gravity = Vector3(-9.80665, 0.0, 0.0);
  expect_weight(options);

  EXPECT_EQ(send({"gravity", "0", "0", "-9.8"}).output.find("/arm: gravity: [0, 0, -9.8] m/s^2"),
            0U);
  const Outcome outcome = send({"gravity", "0,0,9.80665"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output.find("/arm: gravity: [0, 0, 9.807] m/s^2"), 0U) << outcome.output;
  options.gravity = Vector3(0.0, 0.0, 9.80665);
  expect_weight(options);
}

TEST_F(Send, OtherCommandsAreAcceptedOrRejectedWithAReason) {
  start_node({});
  EXPECT_EQ(send({"wrench", "flange=0,0,-1", "--seconds", "0.1"}).exit_code, 0);
  const Outcome reference = send({"reference", "elbow=0.5"});
  EXPECT_EQ(reference.exit_code, 0) << reference.errors;
  EXPECT_NE(reference.output.find("does not use it"), std::string::npos) << reference.output;
  EXPECT_EQ(send({"effort", "elbow=0.5", "--seconds", "0.1"}).exit_code, 0);

  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"payload", "hand=1"}, "rejected the payload on link 'hand': frame_id names no link"},
      {{"payload", "hand=1"}, "; choose among 'base', "},
      {{"payload", "flange=1500"},
       "robot's mass: 1500 kg on link 'flange', but the robot has 18 kg; give the mass in kg"},
      {{"stiffness", "knee=1"}, "names an unknown joint: 'knee'; choose among 'shoulder_yaw', "},
      {{"payload", "base=1"},
       "rejected the payload on link 'base': payload on a link that is fixed"},
      {{"payload", "flange=-1"},
       "rejected the payload on link 'flange': payload with a physically inconsistent"},
      {{"gravity", "0,0,2000"}, "rejected the gravity: a number"},
      {{"wrench", "hand=0,0,1"}, "rejected the wrench on link 'hand': frame_id names no link"},
      {{"reference", "elbow=1", "knee=1"}, "rejected the reference: a command names an unknown"},
      {{"effort", "knee=1"}, "rejected the effort: a command names an unknown joint"}};
  for (const auto& [arguments, reason] : wrong) {
    const Outcome outcome = send(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments[1];
    EXPECT_NE(outcome.errors.find(reason), std::string::npos) << outcome.errors;
  }
  const Outcome heavy = send({"payload", "flange=100,0,0,0.1"});
  EXPECT_EQ(heavy.exit_code, 0) << heavy.errors;
  EXPECT_NE(heavy.output.find("warning: payload on link 'flange' needs up to"), std::string::npos)
      << heavy.output;
}

TEST_F(Send, StiffnessIsShownByJointAndWithItsWarning) {
  mode_ = "joint_impedance";
  start_node({});
  EXPECT_EQ(send({"stiffness", "0.4"}).output, "/arm: stiffness: 0.4 for all joints\n");
  const Outcome one = send({"stiffness", "elbow=0.5"});
  EXPECT_EQ(one.exit_code, 0) << one.errors;
  EXPECT_NE(one.output.find("'elbow' 0.5"), std::string::npos) << one.output;
  EXPECT_NE(one.output.find("'shoulder_yaw' 0.4"), std::string::npos) << one.output;
  EXPECT_EQ(one.output.find("warning"), std::string::npos) << one.output;
  const Outcome stiff = send({"stiffness", "1e5"});
  EXPECT_EQ(stiff.exit_code, 0) << stiff.errors;
  EXPECT_NE(stiff.output.find("warning: the damping of joint '"), std::string::npos)
      << stiff.output;
  const Outcome bad = send({"stiffness", "elbow=-1"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.errors.find("joint 'elbow' is -1; give 0 or more"), std::string::npos)
      << bad.errors;
}

TEST_F(Send, StiffnessOfAModeWithoutSpringsIsNotUsed) {
  start_node({});
  const Outcome outcome = send({"stiffness", "50"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("the mode gravity_compensation does not use it; set torque_mode"),
            std::string::npos)
      << outcome.output;
}

/// The brakes of the robot hold its joints, so that a spring that pulls them looks like a contact.
TEST_F(Send, AcknowledgementEndsAContact) {
  mode_ = "joint_impedance";
  start_node({}, {"-p", "contact.reaction:=hold", "-p", "forward.effort_source:=own", "-p",
                  "impedance.stiffness:=50.0"});
  const Outcome none = send({"acknowledge"});
  EXPECT_EQ(none.exit_code, 0) << none.errors;
  EXPECT_EQ(none.output, "/arm: there is no contact to acknowledge\n");

  EXPECT_EQ(send({"reference", "elbow=-2.5", "--seconds", "0.2"}).exit_code, 0);
  const auto faults = [] {
    return listen("/diagnostics").at("status").at(0).at("values").at("faults").get<std::string>();
  };
  for (int i = 0; i < 10 && faults().find("contact") == std::string::npos; ++i) {
  }
  ASSERT_NE(faults().find("contact"), std::string::npos) << faults();
  const Outcome ended = send({"acknowledge"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_EQ(ended.output, "/arm: acknowledged the contact (phase running, mode joint_impedance)\n");
  (void)faults();  // of the second in which the contact ended
  EXPECT_EQ(faults(), "none");
  EXPECT_EQ(send({"acknowledge"}).output, none.output);
}

TEST_F(Send, WrenchIsSentUntilCtrlC) {
  start_node({});
  Process sender({"send", "wrench", "flange=0,0,-1", "--node", "/arm"});
  EXPECT_EQ(sender.read_line(), "/arm: sending the wrench on link 'flange' until Ctrl-C\n");
  sender.send(SIGINT);
  EXPECT_EQ(sender.read_line(), "/arm: accepted the wrench, which is zero again\n");
  EXPECT_EQ(sender.wait(), 0);
}

/// The example of docs/node.md: an arm with a gripper of 1.5 kg in its parameter file.
class SendToArmWithGripper : public Send {
 protected:
  SendToArmWithGripper() : Send("arm6") {}
};

TEST_F(SendToArmWithGripper, RestartBringsBackTheParameterFilesGripper) {
  const TemporaryFile parameters(
      "/**:\n  ros__parameters:\n    payloads:\n      links: [flange]\n      masses: [1.5]\n"
      "      centers: [0.0, 0.0, 0.05]\n");
  LoadOptions configured, grasping;
  configured.payloads = {gripper(1.5, {0.0, 0.0, 0.05})};
  grasping.payloads = {gripper(2.0, {0.0, 0.0, 0.07})};
  for (int start = 0; start < 2; ++start) {
    start_node({}, {"--params-file", parameters.path()});
    expect_weight(configured);
    EXPECT_EQ(send({"payload", "flange=2,0,0,0.07"}).exit_code, 0);
    expect_weight(grasping);
    // The sender has ended, and its name is still known.
    const Json report = listen("/diagnostics").at("status").at(0).at("values");
    EXPECT_EQ(report.at("payload on link 'flange'"),
              "2 kg at [0, 0, 0.07] m, set on ~/payload by /sender");
    node_->send(SIGINT);
    EXPECT_EQ(node_->wait(), 0);
  }
}

TEST(SendArguments, AreChecked) {
  EXPECT_EQ(run_cli({"send"}).exit_code, 2);
  const Outcome unknown = run_cli({"send", "payloads", "a=1"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.errors.find("send has no subcommand 'payloads'"), std::string::npos)
      << unknown.errors;
  EXPECT_EQ(run_cli({"send", "payload"}).exit_code, 2);
  EXPECT_EQ(run_cli({"send", "payload", "a=1", "b=1"}).exit_code, 2);
  EXPECT_EQ(run_cli({"send", "gravity", "0,0"}).exit_code, 2);
  const Outcome two = run_cli({"send", "gravity", "0", "-9.8"});
  EXPECT_NE(two.errors.find("expects X,Y,Z, not '0,-9.8'"), std::string::npos) << two.errors;
  const Outcome extra = run_cli({"send", "payload", "a=1", "--foo"});
  EXPECT_EQ(extra.errors.find("send payload does not take these arguments: --foo"), 0U)
      << extra.errors;
  for (const char* const kind :
       {"payload", "gravity", "wrench", "reference", "effort", "stiffness", "acknowledge"}) {
    const Outcome help = run_cli({"send", kind, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.output.find("Example:"), std::string::npos) << kind;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
