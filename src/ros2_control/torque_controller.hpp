// The torque controller as a plug-in of ros2_control.
#pragma once

#include <controller_interface/chainable_controller_interface.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ros2_control/joint_interfaces.hpp"
#include "runtime/log_queue.hpp"
#include "runtime/parameters.hpp"

namespace spatial_dynamics::ros2 {
class DynamicsSession;
class ParameterCallbacks;
}  // namespace spatial_dynamics::ros2

namespace spatial_dynamics_ros2_control {

class ActivationServices;

/// Commands `<joint>/effort`, from the state interfaces of the robot's joints. In chained mode it
/// follows its reference interfaces, otherwise the topic ~/reference. All decisions are those of
/// spatial_dynamics::DynamicsCore, whose cycle is update_and_write_commands(); the node's topics,
/// diagnostics and statistics are served by other threads. docs/ros2_control.md describes it.
class TorqueController final : public controller_interface::ChainableControllerInterface {
 public:
  using Answer = controller_interface::CallbackReturn;

  TorqueController();
  ~TorqueController() override;

  [[nodiscard]] controller_interface::InterfaceConfiguration command_interface_configuration()
      const override;
  [[nodiscard]] controller_interface::InterfaceConfiguration state_interface_configuration()
      const override;

  Answer on_init() override;
  Answer on_configure(const rclcpp_lifecycle::State& previous) override;
  Answer on_activate(const rclcpp_lifecycle::State& previous) override;
  Answer on_deactivate(const rclcpp_lifecycle::State& previous) override;
  Answer on_cleanup(const rclcpp_lifecycle::State& previous) override;
  Answer on_error(const rclcpp_lifecycle::State& previous) override;
  Answer on_shutdown(const rclcpp_lifecycle::State& previous) override;

 protected:
  std::vector<hardware_interface::CommandInterface::SharedPtr> on_export_reference_interfaces_list()
      override;
  std::vector<hardware_interface::StateInterface::SharedPtr> on_export_state_interfaces_list()
      override;
  bool on_set_chained_mode(bool chained) override;
  /// The topics write to wait-free buffers, which update_and_write_commands() reads.
  controller_interface::return_type update_reference_from_subscribers(
      const rclcpp::Time& time, const rclcpp::Duration& period) override;
  /// Real-time safe. ERROR if commands could not be written for state_timeout_s.
  controller_interface::return_type update_and_write_commands(
      const rclcpp::Time& time, const rclcpp::Duration& period) override;

 private:
  void note(spatial_dynamics::LogLevel level, const std::string& text) const;
  void check(const spatial_dynamics::ParameterChanges& changes) const;
  void apply(const spatial_dynamics::ParameterChanges& changes);
  void open();
  void end_session();

  std::shared_ptr<spatial_dynamics::LogQueue> log_;
  /// Protects the members below against callbacks, configure and cleanup. The cycle and activation
  /// do not lock it: the controller manager does not configure or clean up an active controller.
  mutable std::mutex mutex_;
  /// The values that rclcpp has. During a session, the core owns the parameters of its table.
  spatial_dynamics::ParameterSet parameters_;
  std::shared_ptr<spatial_dynamics::ros2::ParameterCallbacks> callbacks_;
  std::shared_ptr<spatial_dynamics::ros2::DynamicsSession> session_;  // from configure to cleanup
  std::shared_ptr<ActivationServices> services_;                      // likewise
  std::optional<spatial_dynamics::CallerInput> input_;
  JointInterfaces joints_;
  std::int64_t written_ = 0;         // steady clock of the last command that was written
  std::optional<bool> mode_before_;  // chained, at the last deactivation
};

}  // namespace spatial_dynamics_ros2_control
