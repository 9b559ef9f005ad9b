// Rows 51, 53 and 70: a log without a reader, signals, and a URDF that never arrives.
#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <limits>
#include <set>

#include "node/node_peer.hpp"
#include "runtime/end_signals.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// One second, and one more for a busy machine.
constexpr milliseconds kEndsWithin{2000};

class EndTest : public ::testing::Test {
 protected:
  void serve() {
    ASSERT_TRUE(peer.connected());
    peer.feed(model.joint_names(), kPosture);
    ASSERT_TRUE(eventually([&] {
      const Torque t = peer.newest();
      return t.effort.size() == 7 && t.effort.norm() > 1.0;
    }));
  }
  void expect_end_in_zero(ChildProcess& node) {
    ASSERT_TRUE(node.ends_within(kEndsWithin));
    EXPECT_EQ(node.wait(), 0);
    EXPECT_TRUE(peer.torque_becomes(VectorXd::Zero(7), kExactly));
    const int count = peer.torques();
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_EQ(peer.torques(), count);
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  NodePeer peer;
};

// ---- row 51 -------------------------------------------------------------------------------------

/// A pipe without a reader; the test owns both ends.
class UnreadPipe {
 public:
  UnreadPipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
  }
  ~UnreadPipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  UnreadPipe(const UnreadPipe&) = delete;
  UnreadPipe& operator=(const UnreadPipe&) = delete;

  [[nodiscard]] int input() const { return ends_[1]; }
  /// Writes until the pipe is full. O_NONBLOCK belongs to the open file, which the child shares, so
  /// it is set only for this call.
  void fill() const {
    ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    while (::write(ends_[1], "x", 1) == 1) {
    }
    ::fcntl(ends_[1], F_SETFL, 0);
  }

 private:
  std::array<int, 2> ends_{};
};

class UnreadLog : public EndTest, public ::testing::WithParamInterface<bool> {};

TEST_P(UnreadLog, Row51DoesNotBlockTorquesOrShutdown) {
  const bool full_from_the_start = GetParam();
  const UnreadPipe log;
  if (full_from_the_start) log.fill();
  NodeProcess node(run_arm7(), local_variables(), log.input());
  serve();
  log.fill();
  peer.stop();  // the node logs this within a second
  EXPECT_TRUE(peer.diagnostics_show("joint states are stale"));
  EXPECT_TRUE(peer.diagnostics_show("log lines lost = 0"));  // up to 1000 lines are kept
  EXPECT_TRUE(peer.torque_becomes(VectorXd::Zero(7), kExactly));
  peer.feed(model.joint_names(), kPosture);
  EXPECT_TRUE(eventually([&] { return peer.newest().effort.norm() > 1.0; }));
  node.send(SIGTERM);
  expect_end_in_zero(node);
}
INSTANTIATE_TEST_SUITE_P(All, UnreadLog, ::testing::Bool(), [](const auto& test) {
  return test.param ? "FullFromTheStart" : "FilledLater";
});

TEST_F(EndTest, Row51UnreadLogDoesNotBlockSimulatedRobot) {
  const UnreadPipe log;
  log.fill();
  NodeProcess robot({"simulate", "--dds", shipped_urdf("arm7")}, local_variables(), log.input());
  std::atomic<int> states{0};
  const auto reader = peer.node().subscribe<dds::JointState>(
      "joint_states", dds::kStreamQos, [&](const dds::JointState&) { ++states; });
  // Efforts of unknown joints, which the simulated robot logs.
  auto writer = peer.node().advertise<dds::JointState>("dynamics/torque", dds::kOutputQos);
  ASSERT_TRUE(eventually([&] { return writer.matched() >= 2 && states > 0; }));
  dds::Message<dds::JointState> bad;
  dds::assign(bad->name, std::vector<std::string>{"nobody", "nobody"});
  dds::assign(bad->effort, std::vector<double>{1.0});
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(writer.write(*bad));
  const int before = states;
  EXPECT_TRUE(eventually([&] { return states > before + 100; }));
  robot.send(SIGTERM);
  ASSERT_TRUE(robot.ends_within(kEndsWithin));
  EXPECT_EQ(robot.wait(), 0);
}

// ---- row 53 -------------------------------------------------------------------------------------

class EveryEndSignal : public EndTest, public ::testing::WithParamInterface<int> {};

TEST_P(EveryEndSignal, Row53RampsToZeroAndEnds) {
  NodeProcess node(run_arm7());
  serve();
  node.send(GetParam());
  expect_end_in_zero(node);
}

TEST_P(EveryEndSignal, Row53EndsTheSimulatedRobot) {
  NodeProcess robot({"simulate", "--dds", shipped_urdf("arm7")});
  std::atomic<int> states{0};
  const auto reader = peer.node().subscribe<dds::JointState>(
      "joint_states", dds::kStreamQos, [&](const dds::JointState&) { ++states; });
  ASSERT_TRUE(eventually([&] { return states > 0; }));
  robot.send(GetParam());
  ASSERT_TRUE(robot.ends_within(kEndsWithin));
  EXPECT_EQ(robot.wait(), 0);
}
INSTANTIATE_TEST_SUITE_P(All, EveryEndSignal, ::testing::ValuesIn(EndSignals::ending()),
                         [](const auto& test) {
                           return std::string("SIG") + ::sigabbrev_np(test.param);
                         });

TEST_F(EndTest, Row53OtherSignalsChangeNothing) {
  NodeProcess node(run_arm7());
  serve();
  // All signals except those of docs/safety.md.
  std::set<int> excepted{SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE,
                         SIGILL,  SIGABRT, SIGTRAP, SIGSYS, 32};
  excepted.insert(EndSignals::ending().begin(), EndSignals::ending().end());
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (excepted.count(signal) != 0) continue;
    node.send(signal);
    EXPECT_FALSE(node.ends_within(milliseconds(5))) << "signal " << signal;
  }
  const int before = peer.torques();
  EXPECT_TRUE(eventually([&] { return peer.torques() > before + 20; }));
  node.send(SIGTERM);
  expect_end_in_zero(node);
}

TEST_F(EndTest, Row53SignalsDuringTheRampChangeNothing) {
  // The ramp takes longer than the end of a process may take, so there is time for all signals.
  NodeProcess node(run_arm7({"-p", "torque_rate_limit:=10.0"}));
  serve();
  node.send(SIGINT);
  for (const int signal : EndSignals::ending()) node.send(signal);
  for (const int signal : EndSignals::ignored()) node.send(signal);
  expect_end_in_zero(node);
}

TEST_F(EndTest, Row53AfterKillTheSimulatedRobotSwitchesItsMotorsOff) {
  std::atomic<double> effort{0.0};
  const auto reader = peer.node().subscribe<dds::JointState>(
      "joint_states", dds::kStreamQos, [&](const dds::JointState& m) {
        double largest = 0.0;
        for (const double e : dds::view(m.effort)) largest = std::max(largest, std::abs(e));
        effort = largest;
      });
  const auto switches_off = [&](const std::string& timeout) {
    const NodeProcess robot({"simulate", "--dds", shipped_urdf("arm7"), "--ros-args", "-p",
                             "effort_timeout_s:=" + timeout});
    NodeProcess node(run_arm7());
    EXPECT_TRUE(eventually([&] { return effort > 1.0; }));
    node.send(SIGKILL);
    EXPECT_EQ(node.wait(), 128 + SIGKILL);
    EXPECT_GT(peer.newest().effort.norm(), 1.0) << "the last torque was zero by accident";
    // The shorter timeout, with a margin for a busy machine; DDS itself would need ten seconds.
    return eventually([&] { return effort == 0.0; }, milliseconds(1000));
  };
  EXPECT_TRUE(switches_off("0.1"));
  EXPECT_FALSE(switches_off("10.0")) << "the efforts must be zeroed by the timeout only";
}

// ---- row 70 -------------------------------------------------------------------------------------

class UrdfFromAPipe : public EndTest {
 protected:
  void SetUp() override { ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0); }
  void TearDown() override { std::filesystem::remove(pipe); }
  /// Opens the writing end when there is a reader; opening fails before.
  int open_for_writing() {
    int file = -1;
    EXPECT_TRUE(eventually([&] {
      file = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      return file >= 0;
    }));
    return file;
  }

  const std::string pipe =
      ::testing::TempDir() + "spatial_dynamics_pipe_" + std::to_string(::getpid());
};

TEST_F(UrdfFromAPipe, Row70SignalsEndTheWait) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", pipe}, std::vector<std::string>{"simulate", "--dds", pipe},
        std::vector<std::string>{"check", pipe},
        std::vector<std::string>{"run", "--ros-args", "--params-file", pipe},
        std::vector<std::string>{"simulate", "--dds", "--ros-args", "--params-file", pipe}}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      NodeProcess node(command);
      const int file = open_for_writing();
      std::this_thread::sleep_for(milliseconds(50));
      node.send(signal);
      ASSERT_TRUE(node.ends_within(kEndsWithin)) << command[0];
      EXPECT_NE(node.wait(), 0) << command[0];
      ::close(file);
    }
  }
}

TEST_F(UrdfFromAPipe, Row70IsReadUntilTheWriterCloses) {
  const NodeProcess node(
      {"run", pipe, "--mode", "gravity_compensation", "--ros-args", "-p", "rate_hz:=200"});
  const int file = open_for_writing();
  ::fcntl(file, F_SETFL, 0);
  const std::string urdf = urdf_text("arm7");
  const std::size_t half = urdf.size() / 2;
  EXPECT_EQ(::write(file, urdf.data(), half), static_cast<ssize_t>(half));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(::write(file, urdf.data() + half, urdf.size() - half),
            static_cast<ssize_t>(urdf.size() - half));
  ::close(file);
  serve();
}

}  // namespace
}  // namespace spatial_dynamics::test
