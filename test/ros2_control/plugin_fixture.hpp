// A TorqueController with lent interfaces, without a controller manager.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <lifecycle_msgs/msg/state.hpp>
#include <limits>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ros2_control/torque_controller.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics_ros2_control {

namespace ci = controller_interface;
namespace hw = hardware_interface;
using namespace std::chrono_literals;
using lifecycle_msgs::msg::State;
using spatial_dynamics::VectorXd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline const std::vector<std::string> kArm{"shoulder_yaw", "shoulder_pitch", "upper_arm_roll",
                                           "elbow",        "forearm_roll",   "wrist_pitch",
                                           "wrist_roll"};

/// Interfaces of hardware, and a controller that borrows them.
class PluginFixture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  /// Offers states of these joints; the controller is configured.
  std::uint8_t configure(std::vector<rclcpp::Parameter> parameters = {},
                         const std::string& urdf = spatial_dynamics::test::urdf_text("arm7"),
                         unsigned rate = 1000) {
    ci::ControllerInterfaceParams params;
    params.controller_name = "torque_controller";
    params.robot_description = urdf;
    params.update_rate = params.controller_manager_update_rate = rate;
    params.node_options = controller->define_custom_node_options().parameter_overrides(parameters);
    if (controller->init(params) != ci::return_type::OK) return State::PRIMARY_STATE_UNKNOWN;
    const std::uint8_t state = controller->configure().id();
    if (state != State::PRIMARY_STATE_INACTIVE) return state;
    for (const auto& each : controller->export_reference_interfaces()) {
      references[each->get_name()] = each;
    }
    for (const auto& each : controller->export_state_interfaces())
      exported[each->get_name()] = each;
    controller->set_chained_mode(false);
    return state;
  }
  void offer(const std::string& joint, const std::vector<std::string>& states,
             const std::string& data_type = "double") {
    for (const std::string& name : states) {
      hw::InterfaceInfo info;
      info.name = name;
      info.data_type = data_type;
      auto state = std::make_shared<hw::StateInterface>(hw::InterfaceDescription(joint, info));
      hardware[state->get_name()] = state;
    }
    hw::InterfaceInfo info;
    info.name = "effort";
    info.data_type = "double";
    auto command = std::make_shared<hw::CommandInterface>(hw::InterfaceDescription(joint, info));
    commands[command->get_name()] = command;
  }
  void offer_arm(const std::vector<std::string>& states = {"position", "velocity", "effort"}) {
    for (const std::string& joint : kArm) offer(joint, states);
  }
  void set(const std::string& name, double value) {
    ASSERT_TRUE(hardware.at(name)->set_value(value)) << name;
  }
  void set_arm(double position, double velocity = 0.0) {
    for (const std::string& joint : kArm) {
      set(joint + "/position", position);
      if (hardware.count(joint + "/velocity") != 0) set(joint + "/velocity", velocity);
    }
  }
  std::uint8_t activate() {
    std::vector<hw::LoanedCommandInterface> lent_commands;
    for (const std::string& name : controller->command_interface_configuration().names) {
      if (commands.count(name) != 0) lent_commands.emplace_back(commands.at(name), nullptr);
    }
    std::vector<hw::LoanedStateInterface> lent_states;
    for (const std::string& name : controller->state_interface_configuration().names) {
      if (hardware.count(name) != 0) lent_states.emplace_back(hardware.at(name), nullptr);
    }
    controller->assign_interfaces(std::move(lent_commands), std::move(lent_states));
    return controller->get_node()->activate().id();
  }
  void deactivate() {
    controller->get_node()->deactivate();
    controller->release_interfaces();
    controller->set_chained_mode(false);
  }
  ci::return_type update() {
    time = time + rclcpp::Duration(1ms);
    return controller->update(time, rclcpp::Duration(1ms));
  }
  /// Updates for this long, once in a millisecond.
  void run(std::chrono::milliseconds duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < end) {
      ASSERT_EQ(update(), ci::return_type::OK);
      std::this_thread::sleep_for(1ms);
    }
  }
  double command(const std::string& joint) {
    return commands.at(joint + "/effort")->get_optional().value_or(kNan);
  }
  double reference(const std::string& name) {
    return references.at("torque_controller/" + name)->get_optional().value_or(kNan);
  }
  void set_reference(const std::string& name, double value) {
    ASSERT_TRUE(references.at("torque_controller/" + name)->set_value(value));
  }
  double exported_value(const std::string& name) {
    return exported.at("torque_controller/" + name)->get_optional().value_or(kNan);
  }
  VectorXd gravity(double position) {
    const auto model = spatial_dynamics::load_urdf(spatial_dynamics::test::urdf_text("arm7"));
    spatial_dynamics::Data data(model);
    const VectorXd q = VectorXd::Constant(7, position);
    return spatial_dynamics::gravity_torque(model, data, q);
  }

  std::shared_ptr<TorqueController> controller = std::make_shared<TorqueController>();
  std::map<std::string, hw::StateInterface::SharedPtr> hardware;
  std::map<std::string, hw::CommandInterface::SharedPtr> commands, references;
  std::map<std::string, hw::StateInterface::ConstSharedPtr> exported;
  rclcpp::Time time = rclcpp::Time(std::int64_t{1'000'000'000}, RCL_ROS_TIME);
};

inline const rclcpp::Parameter kGravity("torque_mode", "gravity_compensation");
inline const rclcpp::Parameter kComputed("torque_mode", "computed_torque");

}  // namespace spatial_dynamics_ros2_control
