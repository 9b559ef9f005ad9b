// The robot on one host, the node on another: control over a network that may fail.
#include "node/node_peer.hpp"
#include "node/two_hosts.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

// rad. Friction holds the arm where it came to rest because of late states, and a sanitizer makes
// states late.
constexpr double kNear = kSanitized ? 0.05 : 1e-3;

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::vector<double> kStart{0.1, 0.4, -0.3, -1.5, 0.2, 1.2, 0.5};
constexpr seconds kPatience(30);

/// Discovery over the network by ROS 2's variables, with or without multicast.
Variables with_multicast() {
  return {{"ROS_DOMAIN_ID", "1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}};
}
Variables with_static_peers() {
  return {{"ROS_DOMAIN_ID", "1"},
          {"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"},
          {"ROS_STATIC_PEERS",
           std::string(TwoHosts::kRobotAddress) + ";" + TwoHosts::kControllerAddress}};
}

/// An observer on the robot's host.
class Observer {
 public:
  explicit Observer(const Variables& variables)
      : peer("/", variables),
        reference_(
            peer.node().advertise<dds::JointTrajectory>("dynamics/reference", dds::kDefaultQos)),
        states_(peer.node().subscribe<dds::JointState>(
            "joint_states", dds::kStreamQos, [this](const dds::JointState& m) {
              const std::lock_guard lock(mutex_);
              position_ = Eigen::Map<const VectorXd>(m.position._buffer, m.position._length);
              velocity_ = Eigen::Map<const VectorXd>(m.velocity._buffer, m.velocity._length);
            })) {}

  /// Requests a motion that ends at `goal` after some seconds.
  void ask_for(const Model& model, const std::vector<double>& goal, int after_s) {
    dds::Message<dds::JointTrajectory> m;
    dds::assign(m->header.frame_id, "");
    dds::assign(m->joint_names, model.joint_names());
    dds::resize(m->points, 1);
    dds::JointTrajectoryPoint& point = dds::elements(m->points)[0];
    dds::assign(point.positions, goal);
    dds::assign(point.velocities, std::vector<double>(goal.size(), 0.0));
    dds::assign(point.accelerations, std::vector<double>(goal.size(), 0.0));
    point.time_from_start = {after_s, 0};
    EXPECT_TRUE(eventually([&] { return reference_.matched() > 0; }, kPatience));
    EXPECT_TRUE(reference_.write(*m));
  }
  VectorXd position() {
    const std::lock_guard lock(mutex_);
    return position_;
  }
  bool rests() {
    const std::lock_guard lock(mutex_);
    return velocity_.size() > 0 && velocity_.cwiseAbs().maxCoeff() < 1e-3;
  }
  bool comes_to(const VectorXd& goal, double tolerance) {
    const auto there = [&] {
      const VectorXd q = position();
      return q.size() == goal.size() && (q - goal).cwiseAbs().maxCoeff() < tolerance && rests();
    };
    return eventually(there, kPatience);
  }

  NodePeer peer;

 private:
  std::mutex mutex_;
  VectorXd position_, velocity_;
  dds::Writer<dds::JointTrajectory> reference_;
  dds::Reader<dds::JointState> states_;
};

class TwoHostsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    hosts = TwoHosts::make(reason);
    if (!hosts) GTEST_SKIP() << reason;
  }
  void start(const Variables& variables) {
    // One second, so that a busy machine is not mistaken for an unplugged cable.
    hosts->robot.inside([&] {
      observer.emplace(variables);
      robot.emplace(std::vector<std::string>{"simulate", "--dds", shipped_urdf("arm7"),
                                             "--ros-args", "-p", "effort_timeout_s:=1.0", "-p",
                                             "initial_position:=[0.1,0.4,-0.3,-1.5,0.2,1.2,0.5]"},
                    variables);
    });
    hosts->controller.inside([&] {
      node.emplace(
          std::vector<std::string>{"run", "--urdf", shipped_urdf("arm7"), "--mode",
                                   "computed_torque", "--ros-args", "-p", "state_timeout_s:=1.0"},
          variables);
    });
  }
  bool torques_flow() {
    const int before = observer->peer.torques();
    return eventually([&] { return observer->peer.torques() > before + 100; }, kPatience);
  }
  /// Unplugs the cable until the robot has had no torque for this time, and plugs it in again.
  void interrupt(milliseconds length) {
    hosts->unplug();
    std::this_thread::sleep_for(milliseconds(500));  // sent messages have arrived
    const int before = observer->peer.torques();
    std::this_thread::sleep_for(length);
    EXPECT_EQ(observer->peer.torques(), before);
    hosts->plug_in();
  }

  std::unique_ptr<TwoHosts> hosts;
  Model model = load_urdf_file(shipped_urdf("arm7"));
  std::optional<Observer> observer;
  std::optional<NodeProcess> robot, node;
};

TEST_F(TwoHostsTest, TheNodeMovesARobotOnAnotherHost) {
  start(with_multicast());
  ASSERT_TRUE(torques_flow());
  const VectorXd held = Eigen::Map<const VectorXd>(kStart.data(), 7);
  EXPECT_TRUE(observer->comes_to(held, kNear));
  std::vector<double> goal = kStart;
  goal[1] += 0.3;
  goal[3] += 0.2;
  observer->ask_for(model, goal, 2);
  EXPECT_TRUE(observer->comes_to(Eigen::Map<const VectorXd>(goal.data(), 7), kNear));
}

TEST_F(TwoHostsTest, WithoutMulticastStaticPeersFindEachOther) {
  start(with_static_peers());
  ASSERT_TRUE(torques_flow());
  EXPECT_TRUE(observer->comes_to(Eigen::Map<const VectorXd>(kStart.data(), 7), kNear));
}

TEST_F(TwoHostsTest, Row44LoopRecoversAfterCableIsUnplugged) {
  start(with_multicast());
  ASSERT_TRUE(torques_flow());
  ASSERT_TRUE(observer->comes_to(Eigen::Map<const VectorXd>(kStart.data(), 7), kNear));
  interrupt(seconds(3));
  EXPECT_TRUE(torques_flow());
  // The arm fell meanwhile; the node holds it at its new position.
  EXPECT_TRUE(eventually([&] { return observer->rests(); }, kPatience));
  EXPECT_GT((observer->position() - Eigen::Map<const VectorXd>(kStart.data(), 7)).norm(), 0.1);
  observer->ask_for(model, kStart, 3);
  EXPECT_TRUE(observer->comes_to(Eigen::Map<const VectorXd>(kStart.data(), 7), kNear));
}

TEST_F(TwoHostsTest, Row44HostsRediscoverEachOtherAfterTimeout) {
  start(with_multicast());
  ASSERT_TRUE(torques_flow());
  interrupt(seconds(12));  // DDS removes a participant after ten
  EXPECT_TRUE(torques_flow());
  EXPECT_TRUE(eventually([&] { return observer->rests(); }, kPatience));
}

}  // namespace
}  // namespace spatial_dynamics::test
