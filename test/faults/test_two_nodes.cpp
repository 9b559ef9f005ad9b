// Row 62: two nodes in one domain that would drive one robot. Row 69: nodes are listed by Fast DDS
// peers.
#include <map>

#include "faults/fast_dds.hpp"
#include "node/node_peer.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The arguments of a node with this name whose torque topics are those of the node `dynamics`.
std::vector<std::string> node_named(const std::string& name,
                                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",
                                     "--urdf",
                                     shipped_urdf("arm7"),
                                     "--mode",
                                     "gravity_compensation",
                                     "--ros-args",
                                     "-p",
                                     "rate_hz:=100",
                                     "-r",
                                     "__node:=" + name,
                                     "-r",
                                     "~/torque:=/dynamics/torque",
                                     "-r",
                                     "~/torque_array:=/dynamics/torque_array"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Counts torques by publisher.
class TwoNodes : public ::testing::Test {
 protected:
  void feed() { peer.feed(model.joint_names(), kPosture); }
  /// The number of publishers that sent a torque since the last call.
  std::size_t publishers_since() {
    const std::lock_guard lock(mutex);
    return std::exchange(counts, {}).size();
  }
  /// The largest number of torques of one publisher since the last call of publishers_since().
  int most_torques() {
    const std::lock_guard lock(mutex);
    int most = 0;
    for (const auto& [publisher, count] : counts) most = std::max(most, count);
    return most;
  }
  std::size_t publishers_during(milliseconds time) {
    (void)publishers_since();
    std::this_thread::sleep_for(time);
    return publishers_since();
  }
  /// Whether only one publisher sends, after a tie is settled at the latest.
  bool one_drives() {
    return eventually([&] { return publishers_during(milliseconds(200)) == 1; }) &&
           publishers_during(seconds(1)) == 1;
  }
  bool torques_come() {
    const int before = torques;
    return eventually([&] { return torques > before + 10; });
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  NodePeer peer;
  std::mutex mutex;
  std::map<std::uint64_t, int> counts;  // torques per publisher
  std::atomic<int> torques{0};
  std::atomic<std::int64_t> last{0};
  dds::Reader<dds::JointState> reader = peer.node().subscribe<dds::JointState>(
      "/dynamics/torque", dds::kCommandQos,
      [this](const dds::JointState&, const dds::SampleInfo& info) {
        const std::lock_guard lock(mutex);
        ++counts[info.publisher];
        ++torques;
        last = steady_now_ns();
      });
};

TEST_F(TwoNodes, Row62SecondReplacesKilledFirst) {
  feed();
  NodeProcess first(node_named("first"));
  ASSERT_TRUE(torques_come());
  const NodeProcess second(node_named("second"));
  EXPECT_TRUE(peer.diagnostics_show("activation waits: node /first sends on /dynamics/torque"));
  EXPECT_EQ(publishers_during(milliseconds(500)), 1u);
  EXPECT_TRUE(peer.diagnostics_show("/first: rigid-body dynamics: node /second also publishes"));
  EXPECT_TRUE(peer.diagnostics_show("/second: rigid-body dynamics: node /first also publishes"));
  first.send(SIGKILL);
  EXPECT_EQ(first.wait(), 128 + SIGKILL);
  const std::int64_t killed = last;
  ASSERT_TRUE(eventually([&] { return last > killed + 100'000'000; }));
  // Half a second, and as much again for a busy machine.
  EXPECT_LT(last - killed, kNanosecondsPerSecond);
  EXPECT_TRUE(torques_come());
}

TEST_F(TwoNodes, Row62SecondReplacesEndedFirst) {
  feed();
  NodeProcess first(node_named("first"));
  ASSERT_TRUE(torques_come());
  const NodeProcess second(node_named("second"));
  ASSERT_TRUE(peer.diagnostics_show("activation waits: node /first sends on /dynamics/torque"));
  first.send(SIGINT);
  EXPECT_EQ(first.wait(), 0);
  EXPECT_TRUE(torques_come());
  EXPECT_EQ(publishers_during(milliseconds(500)), 1u);
}

TEST_F(TwoNodes, Row62PausedNodeYieldsAfterReplacement) {
  feed();
  const NodeProcess first(node_named("first"));
  ASSERT_TRUE(torques_come());
  const NodeProcess second(node_named("second"));
  ASSERT_TRUE(peer.diagnostics_show("activation waits: node /first sends on /dynamics/torque"));
  first.send(SIGSTOP);
  (void)publishers_since();
  // At 100 Hz: longer than a node may yield to another that starts at the same time.
  ASSERT_TRUE(eventually([&] { return most_torques() > 250; })) << "the second has not started";
  ASSERT_EQ(publishers_during(milliseconds(200)), 1u);
  first.send(SIGCONT);
  EXPECT_TRUE(one_drives());
  EXPECT_TRUE(peer.diagnostics_show("activation waits: node /second sends on /dynamics/torque"));
}

TEST_F(TwoNodes, Row62OneOfTwoSimultaneousStartsDrives) {
  feed();
  for (int i = 0; i < 3; ++i) {
    (void)publishers_since();
    const NodeProcess first(node_named("first")), second(node_named("second"));
    ASSERT_TRUE(torques_come());
    EXPECT_TRUE(one_drives());
  }
}

TEST_F(TwoNodes, Row62OneOfTwoWaitingNodesDrives) {
  const NodeProcess first(node_named("first")), second(node_named("second"));
  ASSERT_TRUE(eventually([&] { return reader.matched() == 2; }));
  EXPECT_TRUE(peer.diagnostics_show("/first: rigid-body dynamics: node /second also publishes"));
  EXPECT_TRUE(peer.diagnostics_show("/second: rigid-body dynamics: node /first also publishes"));
  feed();
  ASSERT_TRUE(torques_come());
  EXPECT_TRUE(one_drives());
}

TEST_F(TwoNodes, Row62WithoutYieldingBothDriveAndBothReportIt) {
  feed();
  const std::vector<std::string> insists{"-p", "yield_to_active_node:=false"};
  const NodeProcess first(node_named("first", insists)), second(node_named("second", insists));
  EXPECT_TRUE(peer.diagnostics_show("/first: rigid-body dynamics: node /second also publishes"));
  EXPECT_TRUE(peer.diagnostics_show("/second: rigid-body dynamics: node /first also publishes"));
  EXPECT_TRUE(eventually([&] { return publishers_during(milliseconds(200)) == 2; }));
}

TEST_F(TwoNodes, Row62SimulatedRobotLogsBothEffortPublishers) {
  const ChildProcess robot({"/bin/sh", "-c",
                            std::string("exec '") + SPATIAL_DYNAMICS_CLI_PATH +
                                "' simulate --dds '" + shipped_urdf("arm7") + "' 2>&1"},
                           local_variables());
  const std::vector<std::string> insists{"-p", "yield_to_active_node:=false"};
  const NodeProcess first(node_named("first", insists)), second(node_named("second", insists));
  bool said = false;
  for (std::string line; !said && !(line = robot.read_line()).empty();) {
    said = line.find("2 publishers send efforts on /dynamics/torque (/first, /second)") !=
           std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST(NodeList, Row69LostNodeListIsSentAgain) {
  if (!has_fast_dds()) GTEST_SKIP() << "built without Fast DDS (libfastrtps-dev)";
  const NodeProcess node(node_named("dynamics"));
  auto variables = local_variables();
  variables["PEER_LOSES_LISTS_MS"] = "1000";
  const ChildProcess peer({FAST_DDS_PEER_PATH}, variables);
  bool listed = false;
  for (std::string line; !listed && !(line = peer.read_line()).empty();) {
    listed = line.rfind("node / dynamics ", 0) == 0;
  }
  EXPECT_TRUE(listed);
}

}  // namespace
}  // namespace spatial_dynamics::test
