// ~/set_active and the commands `activate` and `deactivate`, with the node as a process.
#include <limits>

#include "node/node_peer.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ActivationTest : public ::testing::Test {
 protected:
  void send_active(bool active) {
    if (!command) {
      command.emplace(peer.node().advertise<dds::Bool>("dynamics/set_active", dds::kCommandQos));
      ASSERT_TRUE(eventually([&] { return command->matched() > 0; }));
    }
    dds::Message<dds::Bool> message;
    message->data = active;
    ASSERT_TRUE(command->write(*message));
    ASSERT_TRUE(command->wait_until_acknowledged(seconds(5)));
  }
  bool drives() {
    return eventually([&] {
      const Torque t = peer.newest();
      return t.effort.size() == 7 && t.effort.norm() > 1.0;
    });
  }
  bool is_silent_for(milliseconds time) {
    const int before = peer.torques();
    std::this_thread::sleep_for(time);
    return peer.torques() == before;
  }
  void start_feeding() {
    ASSERT_TRUE(peer.connected());
    peer.feed(model.joint_names(), kPosture);
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  NodePeer peer;
  std::optional<dds::Writer<dds::Bool>> command;
};

TEST_F(ActivationTest, WithoutAutostartNothingIsSentBeforeTheCommand) {
  NodeProcess node(run_arm7({"-p", "autostart:=false"}));
  start_feeding();
  EXPECT_TRUE(peer.diagnostics_show("active = false"));
  EXPECT_TRUE(peer.diagnostics_show("last activation command = none"));
  EXPECT_TRUE(is_silent_for(milliseconds(500)));
  EXPECT_EQ(peer.torques(), 0);

  send_active(true);
  EXPECT_TRUE(drives());
  EXPECT_TRUE(peer.diagnostics_show("active = true"));
  EXPECT_TRUE(peer.diagnostics_show("last activation command = activate, from node /peer"))
      << peer.diagnostics();

  send_active(false);
  EXPECT_TRUE(peer.torque_becomes(VectorXd::Zero(7), kExactly));
  EXPECT_TRUE(peer.diagnostics_show("last activation command = deactivate"));
  EXPECT_TRUE(peer.diagnostics_show("phase = inactive"));
  EXPECT_TRUE(is_silent_for(milliseconds(300)));

  send_active(true);
  EXPECT_TRUE(drives());
  node.send(SIGTERM);
  EXPECT_EQ(node.wait(), 0);
}

TEST_F(ActivationTest, ALatchedStopEndsByTheCommand) {
  const NodeProcess node(run_arm7({"-p", "fallback:=stop"}));
  start_feeding();
  ASSERT_TRUE(drives());
  peer.stop();
  EXPECT_TRUE(peer.diagnostics_show("phase = stopped"));
  peer.feed(model.joint_names(), kPosture);
  EXPECT_TRUE(is_silent_for(milliseconds(500)));
  send_active(false);
  EXPECT_TRUE(peer.diagnostics_show("phase = inactive"));
  send_active(true);
  EXPECT_TRUE(drives());
}

TEST_F(ActivationTest, ACommandDuringTheRampToTheEndDoesNotActivate) {
  // So slow a torque is not zero before the node ends, in 0.9 s.
  NodeProcess node(run_arm7({"-p", "torque_rate_limit:=10.0"}));
  start_feeding();
  ASSERT_TRUE(drives());
  send_active(true);
  node.send(SIGTERM);
  std::this_thread::sleep_for(milliseconds(50));
  double before = std::numeric_limits<double>::infinity();
  while (!node.ends_within(milliseconds(20))) {
    dds::Message<dds::Bool> message;
    message->data = true;
    (void)command->write(*message);
    const double now = peer.newest().effort.norm();
    EXPECT_LE(now, before) << "the torque grew again";
    before = now;
  }
  EXPECT_EQ(node.wait(), 0);
  EXPECT_TRUE(peer.torque_becomes(VectorXd::Zero(7), kExactly));
}

TEST_F(ActivationTest, TheCommandLineActivatesAndDeactivates) {
  const NodeProcess node(run_arm7({"-r", "__ns:=/left", "-p", "autostart:=false"}));
  NodePeer left("/left");
  ASSERT_TRUE(left.connected());
  left.feed(model.joint_names(), kPosture);
  const auto drives_left = [&] {
    return eventually([&] {
      const Torque t = left.newest();
      return t.effort.size() == 7 && t.effort.norm() > 1.0;
    });
  };
  NodeProcess activate({"activate", "/left/dynamics"});
  const std::string said = activate.read_line();
  EXPECT_EQ(activate.wait(), 0);
  EXPECT_EQ(said.find("/left/dynamics is active (phase "), 0U) << said;
  EXPECT_TRUE(drives_left());

  NodeProcess deactivate({"deactivate", "/left/dynamics"});
  const std::string answer = deactivate.read_line();
  EXPECT_EQ(deactivate.wait(), 0);
  EXPECT_EQ(answer.find("/left/dynamics is inactive"), 0U) << answer;
  EXPECT_EQ(left.newest().effort.norm(), 0.0);
}

TEST_F(ActivationTest, CommandLineReportsMissingNode) {
  std::array<int, 2> errors{};
  ASSERT_EQ(::pipe2(errors.data(), O_CLOEXEC), 0);
  NodeProcess activate({"activate", "/nobody"}, local_variables(), errors[1]);
  ::close(errors[1]);
  ASSERT_TRUE(activate.ends_within(seconds(20)));
  EXPECT_EQ(activate.wait(), 1);
  std::string said(4096, '\0');
  said.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, ::read(errors[0], said.data(), said.size()))));
  ::close(errors[0]);
  EXPECT_NE(said.find("no node subscribes to /nobody/set_active in domain "), std::string::npos)
      << said;
}

}  // namespace
}  // namespace spatial_dynamics::test
