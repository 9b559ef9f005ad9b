// The stand-alone node as a process: its torques, and its behaviour with faulty inputs.
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "node/node_peer.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

VectorXd gravity_of(const Model& model, const std::vector<double>& position) {
  textbook::Data data(model);
  return gravity_torque(
      model, data,
      Eigen::Map<const VectorXd>(position.data(), static_cast<Index>(position.size())));
}

class NodeTest : public ::testing::Test {
 protected:
  Model model = load_urdf_file(shipped_urdf("arm7"));
  VectorXd gravity = gravity_of(model, kPosture);
  NodePeer peer;
};

TEST_F(NodeTest, AnswersFiftyStatesASecondWithTheLibrarysTorques) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture, milliseconds(20));
  ASSERT_TRUE(peer.torque_becomes(gravity));
  EXPECT_EQ(peer.newest().names, model.joint_names());
  // At the rate of the loop, not of the states. A busy machine loses some torques and never adds
  // any.
  double most = 0.0;
  for (int i = 0; i < 20 && most <= 0.8 * 100; ++i) {
    (void)peer.arrivals();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    most = std::max(most, static_cast<double>(peer.arrivals().size()));
  }
  EXPECT_GT(most, 0.8 * 100);
  EXPECT_LT(most, 1.05 * 100 + 2);
}

TEST_F(NodeTest, TorquesHaveStampOfState) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  ASSERT_TRUE(eventually([&] {
    peer.send(model.joint_names(), kPosture);
    std::this_thread::sleep_for(milliseconds(10));
    return peer.torques() > 0;
  }));
  EXPECT_LT(std::abs(peer.newest().stamp - system_now_ns()), 10 * kNanosecondsPerSecond);
}

/// Real-time priorities by the names of a process's threads.
std::multimap<std::string, int> real_time_priorities(pid_t process) {
  std::multimap<std::string, int> result;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm") >> std::ws, name);
    sched_param parameters{};
    (void)sched_getparam(std::stoi(task.path().filename()), &parameters);
    result.emplace(name, parameters.sched_priority);
  }
  return result;
}

TEST_F(NodeTest, PublisherAndReceiverHavePrioritiesBelowTheLoops) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  const std::multimap<std::string, int> priorities = real_time_priorities(node.id());
  const auto loop = priorities.find("dynamics");
  ASSERT_NE(loop, priorities.end());
  if (loop->second != 80) GTEST_SKIP() << "the system grants no real-time priority";
  const auto publisher = priorities.find("publisher");
  ASSERT_NE(publisher, priorities.end());
  EXPECT_EQ(publisher->second, 79);
  const auto receives = [](const auto& thread) { return thread.second == 78; };
  EXPECT_EQ(std::count_if(priorities.begin(), priorities.end(), receives), 1);
}

TEST_F(NodeTest, BadMessagesAreDroppedAndCountedByReason) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  std::vector<double> bad = kPosture;
  bad[3] = kNaN;
  std::vector<std::string> twice = model.joint_names();
  twice[1] = twice[0];
  for (int i = 0; i < 20; ++i) {
    peer.send(model.joint_names(), bad);
    peer.send(model.joint_names(), {1.0, 2.0});
    peer.send(twice, kPosture);
    peer.send({}, {});
    peer.send({"somebody_elses_joint"}, {3.0});
    peer.send({model.joint_names()[2]}, {kPosture[2]});  // a part of the state is accepted
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_TRUE(peer.diagnostics_show("a position is not finite"));
  EXPECT_TRUE(peer.diagnostics_show("array lengths differ"));
  EXPECT_TRUE(peer.diagnostics_show("a joint is named twice"));
  EXPECT_TRUE(peer.torque_becomes(gravity));
}

TEST_F(NodeTest, UntilTheClockIsKnownStatesAreUsedAndThisIsReported) {
  const NodeProcess node(run_arm7({"-p", "use_sim_time:=true"}));
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  EXPECT_TRUE(peer.torque_becomes(gravity));
  EXPECT_TRUE(peer.diagnostics_show("waiting for /clock"));
  auto clock = peer.node().advertise<dds::Clock>("/clock", dds::kDefaultQos);
  dds::Message<dds::Clock> message;
  EXPECT_TRUE(eventually([&] {
    message->clock = dds::from_nanoseconds(system_now_ns());
    (void)clock.write(*message);
    return peer.diagnostics().find("waiting for /clock") == std::string::npos;
  }));
}

TEST_F(NodeTest, TermsAreSentWithTorqueExceptInFallback) {
  std::atomic<int> terms{0};
  const auto reader = peer.node().subscribe<dds::JointState>(
      "dynamics/torque/gravity", dds::kCommandQos, [&](const dds::JointState&) { ++terms; });
  const NodeProcess node(run_arm7({"-p", "publish.torque_terms:=true"}));
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  ASSERT_TRUE(eventually([&] { return terms > 0; }));
  peer.stop();
  ASSERT_TRUE(peer.torque_becomes(VectorXd::Zero(7)));
  const int torques = peer.torques(), before = terms;
  ASSERT_TRUE(eventually([&] { return peer.torques() > torques + 20; }));
  EXPECT_EQ(terms, before);
}

TEST_F(NodeTest, TorqueRampsToZeroAndReturnsWithStates) {
  const NodeProcess node(run_arm7());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(peer.torque_becomes(gravity));
  peer.stop();
  EXPECT_TRUE(peer.torque_becomes(VectorXd::Zero(7), 1e-300));
  EXPECT_TRUE(peer.diagnostics_show("joint states are stale"));
  peer.feed(model.joint_names(), kPosture);
  EXPECT_TRUE(peer.torque_becomes(gravity));
}

TEST_F(NodeTest, TwoRobotsLiveInTwoNamespaces) {
  NodePeer left("/left"), right("/right");
  const NodeProcess left_node(run_arm7({"-r", "__ns:=/left"}));
  const NodeProcess right_node({"run", "--urdf", shipped_urdf("double_pendulum"), "--mode",
                                "gravity_compensation", "--ros-args", "-r", "__ns:=/right", "-p",
                                "rate_hz:=200"});
  ASSERT_TRUE(left.connected());
  ASSERT_TRUE(right.connected());
  const Model pendulum = load_urdf_file(shipped_urdf("double_pendulum"));
  left.feed(model.joint_names(), kPosture);
  right.feed(pendulum.joint_names(), {0.4, 0.2});
  EXPECT_TRUE(left.torque_becomes(gravity));
  EXPECT_TRUE(right.torque_becomes(gravity_of(pendulum, {0.4, 0.2})));
  EXPECT_EQ(peer.torques(), 0);
}

TEST_F(NodeTest, StateTriggerSendsOneTorquePerState) {
  const NodeProcess node(run_arm7({"-p", "trigger:=state", "-p", "rate_hz:=1000"}));
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture, milliseconds(10));
  ASSERT_TRUE(peer.torque_becomes(gravity));
  (void)peer.arrivals();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const std::size_t count = peer.arrivals().size();
  EXPECT_GT(count, 70u);   // 100 states a second, minus those that a busy machine loses
  EXPECT_LT(count, 125u);  // plus those of the watchdog after late states
}

TEST_F(NodeTest, GravityCompensationHoldsTheSimulatedArmStill) {
  const NodeProcess robot({"simulate", "--dds", shipped_urdf("arm7"), "--ros-args", "-p",
                           "initial_position:=[0.1, 0.4, -0.3, -1.5, 0.2, 1.2, 0.5]"});
  std::mutex mutex;
  std::vector<double> position;
  const dds::Reader<dds::JointState> states = peer.node().subscribe<dds::JointState>(
      "joint_states", dds::kStreamQos, [&](const dds::JointState& m) {
        const std::lock_guard lock(mutex);
        position.assign(m.position._buffer, m.position._buffer + m.position._length);
      });
  const NodeProcess node({"run", "--urdf", shipped_urdf("arm7"), "--mode", "gravity_compensation"});
  ASSERT_TRUE(peer.torque_becomes(gravity));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::lock_guard lock(mutex);
  ASSERT_EQ(position.size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(position[k], kPosture[k], 1e-6) << model.joint_names()[k];
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
