// The node with security: only processes with keys of the keystore read its torques and send it
// states.
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "node/node_peer.hpp"
#include "node/two_hosts.hpp"
#include "support/keystore.hpp"

namespace spatial_dynamics::test {
namespace {

Variables with(Variables variables, const Keystore& keys, const std::string& enclave) {
  for (const auto& [name, value] : keys.variables(enclave)) variables[name] = value;
  return variables;
}

/// A node whose keys are those of the enclave /arm/dynamics.
class SecurityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Keystore::possible()) GTEST_SKIP() << "no openssl here";
    keys.emplace();
    keys->add("/arm/dynamics");
    keys->add("/peer");
  }
  [[nodiscard]] Variables as(const std::string& enclave) const {
    return with(local_variables(), *keys, enclave);
  }
  /// The output of the program stranger.
  [[nodiscard]] std::string stranger(const Variables& variables) const {
    std::vector<std::string> command{STRANGER_PATH};
    for (const std::string& joint : model.joint_names()) command.push_back(joint);
    return ChildProcess(command, variables).read_line();
  }
  /// A member sends states to the node and receives its torques, while the program stranger tries
  /// the same.
  std::string while_a_member_is_served(const Variables& node_variables,
                                       const Variables& peer_variables,
                                       const Variables& stranger_variables) {
    const NodeProcess node(run_arm7(), node_variables);
    NodePeer peer("/", peer_variables);
    EXPECT_TRUE(peer.connected());
    peer.feed(model.joint_names(), kPosture);
    EXPECT_TRUE(peer.torque_becomes(gravity()));
    const std::string said = stranger(stranger_variables);
    disputed = peer.diagnostics().find("two publishers") != std::string::npos;
    EXPECT_TRUE(peer.torque_becomes(gravity()));
    return said;
  }
  [[nodiscard]] VectorXd gravity() const {
    textbook::Data data(model);
    return gravity_torque(model, data, Eigen::Map<const VectorXd>(kPosture.data(), 7));
  }

  std::optional<Keystore> keys;
  Model model = load_urdf_file(shipped_urdf("arm7"));
  bool disputed = false;
};

TEST_F(SecurityTest, OnlyMembersExchangeMessages) {
  EXPECT_EQ(while_a_member_is_served(as("/arm/dynamics"), as("/peer"), local_variables()),
            "peers 0 torques 0");
  EXPECT_FALSE(disputed);
}

TEST_F(SecurityTest, KeysOfAnotherAuthorityExchangeNoMessages) {
  const Keystore others;
  others.add("/peer");
  EXPECT_EQ(while_a_member_is_served(as("/arm/dynamics"), as("/peer"),
                                     with(local_variables(), others, "/peer")),
            "peers 0 torques 0");
  EXPECT_FALSE(disputed);
}

TEST_F(SecurityTest, WithoutSecurityEveryNodeExchangesMessages) {
  const std::string said =
      while_a_member_is_served(local_variables(), local_variables(), local_variables());
  EXPECT_NE(said, "peers 0 torques 0");
  EXPECT_EQ(said.substr(0, 5), "peers");
  EXPECT_TRUE(disputed);
}

TEST_F(SecurityTest, MemberIsDeniedUnlistedTopics) {
  keys->add("/listener", {{"ros_discovery_info"}, {"*"}});
  EXPECT_NE(stranger(as("/listener")).find("rejected: topic '/joint_states'"), std::string::npos);
}

TEST_F(SecurityTest, EnforceDoesNotStartWithoutKeysOrWithWrongOnes) {
  std::vector<std::string> briefly = run_arm7();
  briefly.insert(briefly.end(), {"--", "--seconds", "1"});
  EXPECT_EQ(NodeProcess(briefly, as("/arm/dynamics")).wait(), 0);
  EXPECT_EQ(NodeProcess(briefly, as("/nobody")).wait(), 1);
  const std::filesystem::path folder = keys->enclave_folder("/arm/dynamics");
  for (const char* file : {"permissions.p7s", "cert.pem", "key.pem"}) {
    std::ofstream(folder / file) << "not what it was\n";
    EXPECT_EQ(NodeProcess(briefly, as("/arm/dynamics")).wait(), 1) << file;
  }
}

TEST_F(SecurityTest, TheEnclaveMayBeGivenAsAnArgument) {
  Variables variables = as("");
  variables.erase("ROS_SECURITY_ENCLAVE_OVERRIDE");
  std::vector<std::string> arguments = run_arm7();
  arguments.insert(arguments.end(), {"--enclave", "/arm/dynamics"});
  const NodeProcess node(arguments, variables);
  NodePeer peer("/", as("/peer"));
  EXPECT_TRUE(peer.connected());
}

/// Captures the packets on the loopback interface of the calling thread's host.
class WireTap {
 public:
  WireTap() : socket_(::socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK, htons(ETH_P_IP))) {
    if (socket_ < 0) throw std::system_error(errno, std::generic_category());
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_IP);
    address.sll_ifindex = static_cast<int>(::if_nametoindex("lo"));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how sockets take addresses
    (void)::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  }
  ~WireTap() { ::close(socket_); }
  WireTap(const WireTap&) = delete;
  WireTap& operator=(const WireTap&) = delete;

  /// The number of packets since the last call, and the number of those that contain `text`.
  std::pair<int, int> packets_with(const std::string& text) const {
    std::pair<int, int> counts{0, 0};
    std::vector<char> packet(65536);
    for (ssize_t got = 0; (got = ::recv(socket_, packet.data(), packet.size(), 0)) > 0;) {
      ++counts.first;
      const std::string_view bytes(packet.data(), static_cast<std::size_t>(got));
      if (bytes.find(text) != std::string_view::npos) ++counts.second;
    }
    return counts;
  }

 private:
  int socket_;
};

TEST_F(SecurityTest, PacketsContainNoJointNames) {
  std::string reason;
  const std::unique_ptr<TwoHosts> hosts = TwoHosts::make(reason);
  if (!hosts) GTEST_SKIP() << reason;
  const std::string joint = model.joint_names()[3];
  // Packets that contain the name of a joint, and all packets, while states and torques are sent.
  const auto overhear = [&](const Variables& node_variables, const Variables& peer_variables) {
    return hosts->robot.inside([&] {
      const WireTap tap;
      const NodeProcess node(run_arm7(), node_variables);
      NodePeer peer("/", peer_variables);
      EXPECT_TRUE(peer.connected());
      peer.feed(model.joint_names(), kPosture);
      EXPECT_TRUE(peer.torque_becomes(gravity()));
      (void)tap.packets_with(joint);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      return tap.packets_with(joint);
    });
  };
  const auto [open_packets, open_names] = overhear(local_variables(), local_variables());
  EXPECT_GT(open_names, 10);
  const auto [packets, names] = overhear(as("/arm/dynamics"), as("/peer"));
  EXPECT_GT(packets, 10);
  EXPECT_EQ(names, 0);
}

}  // namespace
}  // namespace spatial_dynamics::test
