// Row 75: the shipped SROS 2 policy, with real keys.
#include <tinyxml2.h>

#include "node/node_peer.hpp"
#include "support/keystore.hpp"

namespace spatial_dynamics::test {
namespace {

/// The permissions of an enclave in the shipped policy, with DDS names, as `ros2 security
/// create_permission` translates them.
Rights rights_of(const std::string& enclave) {
  tinyxml2::XMLDocument policy;
  if (policy.LoadFile(SPATIAL_DYNAMICS_SOURCE_DIR "/config/sros2_policy.xml") != 0) {
    throw std::runtime_error(policy.ErrorStr());
  }
  Rights rights{{"ros_discovery_info"}, {"ros_discovery_info"}};
  const auto* at = policy.FirstChildElement("policy")
                       ->FirstChildElement("enclaves")
                       ->FirstChildElement("enclave");
  while (at != nullptr && at->Attribute("path") != enclave) at = at->NextSiblingElement();
  if (at == nullptr) throw std::runtime_error(enclave + " is not in the policy");
  const auto* profile = at->FirstChildElement("profiles")->FirstChildElement("profile");
  const std::string node = profile->Attribute("node");
  const auto full = [&](std::string name) {
    if (name[0] == '~') name = '/' + node + name.substr(1);
    return name[0] == '/' ? name : '/' + name;
  };
  for (const auto* list = profile->FirstChildElement(); list != nullptr;
       list = list->NextSiblingElement()) {
    for (const auto* entry = list->FirstChildElement(); entry != nullptr;
         entry = entry->NextSiblingElement()) {
      const std::string name = full(entry->GetText());
      if (list->Attribute("publish", "ALLOW") != nullptr) rights.publish.push_back("rt" + name);
      if (list->Attribute("subscribe", "ALLOW") != nullptr) rights.subscribe.push_back("rt" + name);
      if (list->Attribute("reply", "ALLOW") == nullptr) continue;
      rights.publish.push_back("rr" + name + "Reply");
      rights.subscribe.push_back("rq" + name + "Request");
    }
  }
  return rights;
}

class PolicyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Keystore::possible()) GTEST_SKIP() << "no openssl here";
    keys.emplace();
    for (const char* enclave :
         {"/dynamics", "/robot_simulator", "/activation_command", "/sender"}) {
      keys->add(enclave, rights_of(enclave));
    }
    keys->add("/peer");
  }
  [[nodiscard]] Variables as(const std::string& enclave) const {
    Variables variables = local_variables();
    for (const auto& [name, value] : keys->variables(enclave)) variables[name] = value;
    return variables;
  }

  std::optional<Keystore> keys;
};

TEST_F(PolicyTest, Row75NodeAndRobotWorkWithTheShippedPolicy) {
  const NodeProcess robot(
      {"simulate", "--dds", shipped_urdf("arm7"), "--ros-args", "-p", "publish_clock:=true", "-p",
       "initial_position:=[0.1, 0.4, -0.3, -1.5, 0.2, 1.2, 0.5]"},
      as("/robot_simulator"));
  const NodeProcess node(
      run_arm7({"-p", "use_sim_time:=true", "-p", "publish.torque_terms:=true", "-p",
                "publish.external_torque:=true", "-p", "publish.mass_matrix:=true"}),
      as("/dynamics"));
  NodePeer peer("/", as("/peer"));
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  textbook::Data data(model);
  const VectorXd gravity =
      gravity_torque(model, data, Eigen::Map<const VectorXd>(kPosture.data(), 7));
  EXPECT_TRUE(peer.torque_becomes(gravity, 1e-3));  // the robot stands still, held by the node
  EXPECT_TRUE(peer.diagnostics_show("/dynamics: rigid-body dynamics: running"));
}

TEST_F(PolicyTest, Row75AllTopicsOfAFloatingBaseArePermitted) {
  std::vector<std::string> arguments =
      run_arm7({"-p", "floating_base:=true", "-p", "use_sim_time:=true", "-p",
                "publish.torque_terms:=true", "-p", "publish.external_torque:=true"});
  arguments.insert(arguments.begin() + 1, {"--seconds", "0.5"});
  EXPECT_EQ(NodeProcess(arguments, as("/dynamics")).wait(), 0);
}

TEST_F(PolicyTest, Row75TheActivationCommandIsPermitted) {
  const NodeProcess node(run_arm7({}), as("/dynamics"));
  NodePeer peer("/", as("/peer"));
  EXPECT_TRUE(peer.diagnostics_show("active = true"));
  EXPECT_EQ(NodeProcess({"deactivate"}, as("/activation_command")).wait(), 0);
  EXPECT_TRUE(peer.diagnostics_show("active = false"));
}

TEST_F(PolicyTest, Row75CommandsOfSendArePermitted) {
  const NodeProcess node(run_arm7({}), as("/dynamics"));
  NodePeer peer("/", as("/peer"));
  EXPECT_TRUE(peer.diagnostics_show("active = true"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"send", "payload", "flange=0.5"},
        std::vector<std::string>{"send", "gravity", "0,0,-9.81"},
        std::vector<std::string>{"send", "stiffness", "20"},
        std::vector<std::string>{"send", "reference", "elbow=-1.2"},
        std::vector<std::string>{"send", "effort", "elbow=1", "--seconds", "0.1"}}) {
    EXPECT_EQ(NodeProcess(command, as("/sender")).wait(), 0) << command[1];
  }
  EXPECT_TRUE(peer.diagnostics_show("flange"));
}

TEST_F(PolicyTest, Row75UnlistedTopicsAreDenied) {
  for (const char* remap : {"~/acceleration:=/elsewhere", "~/gravity:=/elsewhere"}) {
    EXPECT_EQ(NodeProcess(run_arm7({"-r", remap}), as("/dynamics")).wait(), 1) << remap;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
