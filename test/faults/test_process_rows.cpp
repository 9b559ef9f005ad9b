// Rows 40 to 49: faults of the process and its peers.
#include <limits>

#include "node/node_peer.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const VectorXd kNothing = VectorXd::Zero(7);

VectorXd gravity_of(const Model& model, const std::vector<double>& position) {
  textbook::Data data(model);
  return gravity_torque(
      model, data,
      Eigen::Map<const VectorXd>(position.data(), static_cast<Index>(position.size())));
}

/// The node, started by a shell that first limits its resources.
class DeprivedNode : public ChildProcess {
 public:
  DeprivedNode(const std::string& deprivation, const std::vector<std::string>& arguments)
      : ChildProcess({"/bin/sh", "-c", line(deprivation, arguments)}, local_variables()) {}

 private:
  static std::string line(const std::string& deprivation,
                          const std::vector<std::string>& arguments) {
    std::string text = deprivation + " '" + SPATIAL_DYNAMICS_CLI_PATH + "'";
    for (const std::string& argument : arguments) text += " '" + argument + "'";
    return text;
  }
};

/// A prefix for a user without permission for real-time priorities and locked memory; root drops
/// these permissions.
std::string unprivileged() {
  return std::string("ulimit -l 64; ulimit -r 0; exec ") +
         (::geteuid() == 0 ? "/usr/bin/setpriv --bounding-set=-all " : "");
}

class ProcessTest : public ::testing::Test {
 protected:
  /// Creates a peer that sends states to the node and receives its torques.
  void serve() {
    ASSERT_TRUE(peer.connected());
    peer.feed(model.joint_names(), kPosture);
    ASSERT_TRUE(peer.torque_becomes(gravity));
  }
  /// The number of torques received in two seconds.
  std::size_t torques_in_two_seconds() {
    (void)peer.arrivals();
    std::this_thread::sleep_for(seconds(2));
    return peer.arrivals().size();
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  VectorXd gravity = gravity_of(model, kPosture);
  NodePeer peer;
};

class EndSignal : public ProcessTest, public ::testing::WithParamInterface<int> {};

TEST_P(EndSignal, Row40RampsToZeroAndEndsWithinASecond) {
  NodeProcess node(run_arm7());
  serve();
  const std::int64_t start = steady_now_ns();
  node.send(GetParam());
  EXPECT_EQ(node.wait(), 0);
  // One second, and one more for a busy machine.
  EXPECT_LT(steady_now_ns() - start, 2 * kNanosecondsPerSecond);
  EXPECT_TRUE(peer.torque_becomes(kNothing, kExactly));
  const int count = peer.torques();
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(peer.torques(), count);
}
INSTANTIATE_TEST_SUITE_P(All, EndSignal, ::testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& test) {
                           return test.param == SIGINT    ? "SIGINT"
                                  : test.param == SIGTERM ? "SIGTERM"
                                                          : "SIGHUP";
                         });

TEST_F(ProcessTest, Row40StoppedRobotDoesNotBlockWriters) {
  constexpr std::size_t kWriters = 4;  // by default, the middleware waits a second for each
  const NodeProcess robot({"simulate", "--dds", shipped_urdf("arm7")});
  std::optional<NodePeer> other(std::in_place);
  std::vector<dds::Writer<dds::JointState>> writers;
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.push_back(other->node().advertise<dds::JointState>("dynamics/torque", dds::kOutputQos));
  }
  const std::uint32_t heard_by = 3;  // both peers and the robot
  for (const auto& writer : writers) {
    ASSERT_TRUE(eventually([&] { return writer.matched() == heard_by; }));
  }
  const dds::Message<dds::JointState> message;
  for (auto& writer : writers) {
    ASSERT_TRUE(writer.write(*message));
    EXPECT_TRUE(writer.wait_until_acknowledged(seconds(5)));
  }
  robot.send(SIGSTOP);
  for (auto& writer : writers) {
    ASSERT_TRUE(writer.write(*message));
    EXPECT_FALSE(writer.wait_until_acknowledged(milliseconds(50)));
  }
  const std::int64_t start = steady_now_ns();
  writers.clear();
  other.reset();
  EXPECT_LT(steady_now_ns() - start, kNanosecondsPerSecond);
}

TEST_F(ProcessTest, Row40StoppedRobotDoesNotBlockNode) {
  const NodeProcess robot(
      {"simulate", "--dds", shipped_urdf("arm7"), "--ros-args", "-r", "joint_states:=not_used"});
  NodeProcess node(run_arm7());
  serve();
  robot.send(SIGSTOP);
  const std::int64_t start = steady_now_ns();
  node.send(SIGINT);
  EXPECT_EQ(node.wait(), 0);
  EXPECT_LT(steady_now_ns() - start, 2 * kNanosecondsPerSecond);
  EXPECT_TRUE(peer.torque_becomes(kNothing, kExactly));
}

TEST_F(ProcessTest, Row41KilledRobotIsDetectedAndRestartedRobotIsServed) {
  std::optional<NodeProcess> robot;
  robot.emplace(std::vector<std::string>{"simulate", "--dds", shipped_urdf("arm7")});
  const NodeProcess node({"run", "--urdf", shipped_urdf("arm7"), "--mode", "computed_torque"});
  const auto moving = [&] {
    return eventually([&] {
      const Torque t = peer.newest();
      return t.effort.size() == 7 && t.effort.norm() > 1.0;
    });
  };
  ASSERT_TRUE(moving());
  robot->send(SIGKILL);
  EXPECT_EQ(robot->wait(), 128 + SIGKILL);
  EXPECT_TRUE(peer.torque_becomes(kNothing, kExactly));  // long before DDS removes it
  robot.emplace(std::vector<std::string>{"simulate", "--dds", shipped_urdf("arm7")});
  EXPECT_TRUE(moving());
}

TEST_F(ProcessTest, Row42ContinuesWithoutBurstAfterOneSecondStop) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  node.send(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  (void)peer.arrivals();
  node.send(SIGCONT);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  // 200 in a second, without the 200 missed ones.
  EXPECT_LT(peer.arrivals().size(), 260u);
  EXPECT_TRUE(peer.torque_becomes(gravity));
  EXPECT_TRUE(peer.diagnostics_show("overruns = "));
}

TEST_F(ProcessTest, Row43WallClockStepDoesNotChangeRate) {
  Variables variables = local_variables();
  variables["LD_PRELOAD"] = WALL_CLOCK_STEP_PATH;
  variables["ASAN_OPTIONS"] = "verify_asan_link_order=0";
  const NodeProcess node(run_arm7(), variables);
  serve();
  const std::int64_t before = peer.newest().stamp;
  double most = 0.0;  // a busy machine loses some
  for (int i = 0; i < 3 && most < 300.0; ++i) {
    const std::size_t count = torques_in_two_seconds();
    EXPECT_LT(count, 440u);
    most = std::max(most, static_cast<double>(count));
  }
  EXPECT_GT(most, 300.0);  // of 400
  EXPECT_TRUE(peer.torque_becomes(gravity));
  // Check that the clock did step: diagnostics have the node's own time, torques the stamps of our
  // states.
  EXPECT_LT(peer.newest().stamp - before, 600 * kNanosecondsPerSecond);
  EXPECT_TRUE(eventually(
      [&] { return peer.report_stamp() - system_now_ns() > 3000 * kNanosecondsPerSecond; }));
}

TEST_F(ProcessTest, Row44LateAndRestartedNodesAreServed) {
  peer.feed(model.joint_names(), kPosture);
  for (int i = 0; i < 3; ++i) {
    const NodeProcess node(run_arm7());
    const int before = peer.torques();
    EXPECT_TRUE(eventually([&] { return peer.torques() > before + 10; }));
    EXPECT_TRUE(peer.torque_becomes(gravity));
  }
}

TEST_F(ProcessTest, Row45RobotArrivesLateIsReplacedAndInvalidOneIsRejected) {
  const NodeProcess node({"run", "--mode", "gravity_compensation", "--ros-args", "-p",
                          "rate_hz:=200", "-p", "effort_limits:=[1000.0]", "-p",
                          "allow_effort_above_urdf:=true"});
  ASSERT_TRUE(peer.connected());
  EXPECT_TRUE(peer.diagnostics_show("no robot yet"));
  peer.feed(model.joint_names(), kPosture);
  std::string urdf = urdf_text("arm7");
  peer.describe(urdf);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  peer.describe("<robot name='broken'>");
  EXPECT_TRUE(peer.diagnostics_show("rejected"));
  EXPECT_TRUE(peer.torque_becomes(gravity));
  for (std::size_t at = 0; (at = urdf.find("<mass value=\"", at)) != std::string::npos; at += 14) {
    urdf.insert(at + 13, "1");  // heavier links: one more digit in every mass
  }
  peer.describe(urdf);
  EXPECT_TRUE(peer.torque_becomes(gravity_of(load_urdf(urdf), kPosture)));
}

TEST_F(ProcessTest, Row47MissingRealTimePermissionIsReported) {
  const DeprivedNode node(unprivileged(), run_arm7());
  serve();
  EXPECT_TRUE(peer.diagnostics_show("realtime.priority 80 was rejected"));
  EXPECT_TRUE(peer.diagnostics_show("realtime.lock_memory was not done"));
}

TEST_F(ProcessTest, Row47RequiredRealTimeWithoutPermissionDoesNotStart) {
  DeprivedNode node(unprivileged(), run_arm7({"-p", "require_realtime:=true"}));
  EXPECT_EQ(node.wait(), 1);
}

TEST(Resources, Row48TooLittleMemoryOrTooFewThreadsEndsNodeWithError) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes more addresses than that";
  const std::vector<std::string> briefly = run_arm7({"--", "--seconds", "0.2"});
  const auto code_with = [&](const std::string& deprivation) {
    return DeprivedNode(deprivation, briefly).wait();
  };
  int rejections = 0;
  for (int megabytes = 24; megabytes <= 424; megabytes += 16) {
    const int code = code_with("ulimit -v " + std::to_string(megabytes * 1024) + "; exec");
    // 127 is an error of the loader of shared libraries, before any of our code runs.
    EXPECT_TRUE(code == 0 || code == 1 || code == 127) << code << " with " << megabytes << " MB";
    if (code == 1) ++rejections;
  }
  EXPECT_GT(rejections, 0);
  EXPECT_EQ(code_with("exec"), 0);
}

TEST_F(ProcessTest, Row49MissingPeerIsReported) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  EXPECT_TRUE(peer.diagnostics_show("waiting for the state of joint"));
  Variables elsewhere = local_variables();
  elsewhere["ROS_DOMAIN_ID"] = std::to_string(102);  // no test uses this one
  const NodeProcess lost(run_arm7(), elsewhere);
  std::this_thread::sleep_for(seconds(1));
  EXPECT_EQ(peer.torques(), 0);
}

TEST_F(ProcessTest, Row49ABaseWithoutOdometryIsInDiagnostics) {
  const NodeProcess node(run_arm7({"-p", "floating_base:=true"}));
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  EXPECT_TRUE(peer.diagnostics_show("nobody publishes /odom"));
  EXPECT_TRUE(peer.diagnostics_show("waiting for the state of the base (odom)"));
  EXPECT_EQ(peer.torques(), 0);
}

TEST_F(ProcessTest, Row49IncompatiblePeerIsInDiagnostics) {
  const NodeProcess node(run_arm7());
  const auto careless =
      peer.node().advertise<dds::JointTrajectory>("dynamics/reference", dds::kStreamQos);
  EXPECT_TRUE(peer.diagnostics_show("'/dynamics/reference' does not fit ours: RELIABILITY"));
}

}  // namespace
}  // namespace spatial_dynamics::test
