// The topics of the plug-in TorqueController while it is not chained.
#include <algorithm>
#include <cmath>
#include <functional>
#include <geometry_msgs/msg/inertia_stamped.hpp>
#include <geometry_msgs/msg/vector3_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "plugin_fixture.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

/// Messages arrive on an executor that the test runs between two updates.
class TorqueControllerTopics : public PluginFixture {
 protected:
  void start(const std::vector<rclcpp::Parameter>& parameters,
             const std::string& urdf = spatial_dynamics::test::urdf_text("arm7")) {
    ASSERT_EQ(configure(parameters, urdf), State::PRIMARY_STATE_INACTIVE);
    executor.add_node(controller->get_node()->get_node_base_interface());
  }
  void start_arm(const rclcpp::Parameter& mode) {
    start({mode, {"ramp_s", 0.02}});
    offer_arm();
    set_arm(0.3);
    ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
    run(100ms);  // gains are ramped
  }
  /// Publishes the message and updates until the condition holds; false if it never does.
  template <typename Message>
  bool holds_after(const std::string& topic, const Message& message,
                   const std::function<bool()>& condition, std::chrono::milliseconds limit = 10s) {
    const auto publisher = node->create_publisher<Message>(topic, 10);
    const auto end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end && !condition()) {
      publisher->publish(message);
      executor.spin_some(1ms);
      EXPECT_EQ(update(), ci::return_type::OK);
      std::this_thread::sleep_for(1ms);
    }
    return condition();
  }
  /// Publishes until the commands of the arm are these torques.
  template <typename Message>
  void expect_torques(const std::string& topic, const Message& message, const VectorXd& expected) {
    EXPECT_TRUE(holds_after(topic, message, [&] { return (arm() - expected).norm() < 1e-9; }))
        << topic << ": " << arm().transpose() << " instead of " << expected.transpose();
  }
  VectorXd arm() {
    VectorXd torques(7);
    for (std::size_t k = 0; k < kArm.size(); ++k) {
      torques(static_cast<Eigen::Index>(k)) = command(kArm[k]);
    }
    return torques;
  }

  std::shared_ptr<rclcpp::Node> node = std::make_shared<rclcpp::Node>("commander");
  rclcpp::executors::SingleThreadedExecutor executor;
  spatial_dynamics::Model model =
      spatial_dynamics::load_urdf(spatial_dynamics::test::urdf_text("arm7"));
  const VectorXd q = VectorXd::Constant(7, 0.3);
};

TEST_F(TorqueControllerTopics, ReferenceIsFollowedUnlessChained) {
  start_arm(kComputed);
  const double before = command("elbow");
  trajectory_msgs::msg::JointTrajectory message;
  message.joint_names = {"elbow"};
  message.points.resize(1);
  message.points[0].positions = {0.35};
  const auto commanded = [&] { return std::abs(command("elbow") - before) >= 0.01; };
  EXPECT_TRUE(holds_after("/torque_controller/reference", message, commanded));
  deactivate();
  std::this_thread::sleep_for(120ms);
  controller->set_chained_mode(true);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  update();
  EXPECT_FALSE(holds_after("/torque_controller/reference", message, commanded, 300ms));
}

TEST_F(TorqueControllerTopics, EffortOfReferenceIsAdded) {
  start_arm(kGravity);
  VectorXd expected = arm();
  expected(2) += 2.5;
  trajectory_msgs::msg::JointTrajectory message;
  message.joint_names = {"upper_arm_roll"};  // the elbow is beyond its limit
  message.points.resize(1);
  message.points[0].effort = {2.5};
  expect_torques("/torque_controller/reference", message, expected);
}

TEST_F(TorqueControllerTopics, PayloadIsSupported) {
  start_arm(kGravity);
  geometry_msgs::msg::InertiaStamped message;
  message.header.frame_id = "flange";
  message.inertia.m = 1.5;
  message.inertia.com.z = 0.05;
  model.set_payload(model.find_link("flange"),
                    spatial_dynamics::Inertia::from_com(1.5, {0.0, 0.0, 0.05},
                                                        spatial_dynamics::Matrix3::Zero()));
  spatial_dynamics::Data data(model);
  expect_torques("/torque_controller/payload", message,
                 spatial_dynamics::gravity_torque(model, data, q));
}

TEST_F(TorqueControllerTopics, GravityIsThatOfTheMount) {
  start_arm(kGravity);
  geometry_msgs::msg::Vector3Stamped message;
  message.vector.x = 9.81;
  model.set_gravity({9.81, 0.0, 0.0});
  spatial_dynamics::Data data(model);
  expect_torques("/torque_controller/gravity", message,
                 spatial_dynamics::gravity_torque(model, data, q));
}

/// The known wrench f on a link takes the torque J' f from the motors.
TEST_F(TorqueControllerTopics, ExternalWrenchIsCompensated) {
  start_arm(kGravity);
  geometry_msgs::msg::WrenchStamped message;
  message.header.frame_id = "flange";
  message.wrench.force.z = -10.0;
  spatial_dynamics::Data data(model);
  spatial_dynamics::ExternalForces forces(model);
  forces.add(model, model.find_link("flange"), {{0.0, 0.0, 0.0}, {0.0, 0.0, -10.0}});
  const VectorXd zero = VectorXd::Zero(7);
  expect_torques("/torque_controller/external_wrench", message,
                 spatial_dynamics::inverse_dynamics(model, data, q, zero, zero, forces));
}

TEST_F(TorqueControllerTopics, FloatingBaseTakesOdometry) {
  const std::string urdf = spatial_dynamics::test::urdf_text("quadruped");
  start({kGravity, {"floating_base", true}, {"state_timeout_s", 5.0}}, urdf);
  spatial_dynamics::LoadOptions options;
  options.floating_base = true;
  model = spatial_dynamics::load_urdf(urdf, options);
  std::vector<std::string> joints;
  for (const std::string& name : controller->command_interface_configuration().names) {
    joints.push_back(name.substr(0, name.find('/')));
    offer(joints.back(), {"position", "velocity"});
    set(joints.back() + "/position", 0.0);
    set(joints.back() + "/velocity", 0.0);
  }
  ASSERT_EQ(static_cast<spatial_dynamics::Index>(joints.size()), model.nv() - 6);
  ASSERT_EQ(activate(), State::PRIMARY_STATE_ACTIVE);
  run(20ms);
  for (const std::string& joint : joints) EXPECT_EQ(command(joint), 0.0) << "without odometry";
  nav_msgs::msg::Odometry message;  // a quarter of a turn about x
  message.pose.pose.orientation.x = message.pose.pose.orientation.w = std::sqrt(0.5);
  const auto sent = [&] {
    return std::any_of(joints.begin(), joints.end(),
                       [&](const std::string& joint) { return command(joint) != 0.0; });
  };
  ASSERT_TRUE(holds_after("/odom", message, sent));
  spatial_dynamics::Data data(model);
  VectorXd pose = VectorXd::Zero(model.nq());
  pose(3) = pose(6) = std::sqrt(0.5);
  const VectorXd expected = spatial_dynamics::gravity_torque(model, data, pose);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const spatial_dynamics::Index joint = model.find_joint(joints[k]);
    EXPECT_NEAR(command(joints[k]), expected(model.joint(joint).v_index), 1e-9) << joints[k];
  }
}

}  // namespace
}  // namespace spatial_dynamics_ros2_control
