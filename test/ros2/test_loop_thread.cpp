// The loop's thread in a running ROS 2 node neither allocates nor locks, so it never calls rclcpp.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <thread>

#include "ros2/dynamics_node.hpp"
#include "support/thread_watch.hpp"

namespace spatial_dynamics::test {
namespace {

using namespace std::chrono_literals;
using sensor_msgs::msg::JointState;

TEST(LoopThread, DoesNotAllocateOrLockWhileTorquesAreSent) {
  rclcpp::init(0, nullptr);
  const std::string urdf = std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf";
  const auto node = std::make_shared<DynamicsNode>(rclcpp::NodeOptions().parameter_overrides(
      {{"urdf_file", urdf}, {"realtime.lock_memory", false}, {"rate_hz", 500.0}}));
  const auto robot = std::make_shared<rclcpp::Node>("robot");
  int torques = 0;
  const auto subscription = robot->create_subscription<JointState>(
      "/dynamics/torque", 10, [&torques](const JointState&) { ++torques; });
  const auto publisher = robot->create_publisher<JointState>("joint_states", 10);
  const auto timer = robot->create_wall_timer(2ms, [&] {
    JointState m;
    m.header.stamp = robot->now();
    m.name = {"shoulder", "elbow"};
    m.position = {0.3, -0.2};
    m.velocity = {0.1, 0.4};
    publisher->publish(m);
  });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node->get_node_base_interface());
  executor.add_node(robot);
  const auto spin_until = [&executor](auto done) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!done() && std::chrono::steady_clock::now() < end) executor.spin_once(10ms);
    return done();
  };
  ASSERT_TRUE(spin_until([&torques] { return torques > 20; })) << "no torques";
  const pid_t loop = thread_named("dynamics");
  ASSERT_NE(loop, 0);
  heap_calls.watch(loop);
  lock_calls.watch(loop);
  const int before = torques;
  ASSERT_TRUE(spin_until([&] { return torques > before + 200; }));
  EXPECT_EQ(heap_calls.count(), 0u);
  EXPECT_EQ(lock_calls.count(), 0u);
  heap_calls.watch(0);
  lock_calls.watch(0);
  executor.remove_node(node->get_node_base_interface());
  rclcpp::shutdown();
}

}  // namespace
}  // namespace spatial_dynamics::test
