// The ros2_control hardware `spatial_dynamics/SimulatedSystem`: the robot of the URDF, simulated.
#pragma once

#include <hardware_interface/system_interface.hpp>
#include <memory>
#include <string>
#include <vector>

#include "ros2_control/simulated_joints.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/log_queue.hpp"
#include "runtime/rejections.hpp"
#include "runtime/simulated_robot.hpp"
#include "runtime/world_inbox.hpp"

namespace spatial_dynamics_ros2_control {

/// Simulates the robot in which its tag is, from the efforts, positions or velocities of the
/// commands. read() advances by the manager's period; the same periods and commands give the same
/// states, bit for bit. There is no thread. read() and write() allocate nothing and log nothing,
/// and only try the locks of handles.
///
///  - A joint is braked until the first command after a controller has claimed it. When no
///    controller claims it any more, it is braked again (`brake_unclaimed`).
///  - Position and velocity commands go to an ideal servo. Position takes precedence over velocity.
///    Effort can't be claimed together with either.
///  - A joint of the tag without command interfaces is passive: it has no motor and is released
///    with the first command to any joint. Joints that are not in the tag stay where they start.
///  - Wrenches, payloads and `nan_states` are those of the hardware's node, which the controller
///    manager's executor serves.
class SimulatedSystem final : public hardware_interface::SystemInterface {
 public:
  using CallbackReturn = hardware_interface::CallbackReturn;
  using return_type = hardware_interface::return_type;

  CallbackReturn on_init(
      const hardware_interface::HardwareComponentInterfaceParams& params) override;
  /// The robot is at its start, and its states can be read.
  CallbackReturn on_configure(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State& previous) override;
  /// Brakes stop the robot.
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_error(const rclcpp_lifecycle::State& previous) override;

  return_type prepare_command_mode_switch(const std::vector<std::string>& start,
                                          const std::vector<std::string>& stop) override;
  return_type perform_command_mode_switch(const std::vector<std::string>& start,
                                          const std::vector<std::string>& stop) override;

  return_type read(const rclcpp::Time& time, const rclcpp::Duration& period) override;
  return_type write(const rclcpp::Time& time, const rclcpp::Duration& period) override;

 private:
  void load(const hardware_interface::HardwareInfo& info);
  void serve_topics();
  void serve_nan_states();
  /// Why these can't be `nan_states`; empty if they can.
  [[nodiscard]] std::string check_nan_states(const std::vector<std::string>& names) const;

  /// Transitions, switches and on_error() may be on the thread of the loop, which must not wait for
  /// a log that is not read.
  std::shared_ptr<spatial_dynamics::LogQueue> log_;
  spatial_dynamics::SimulatedSystemConfig config_;
  std::unique_ptr<spatial_dynamics::SimulatedRobot> robot_;
  SimulatedJoints joints_;

  spatial_dynamics::RejectionCounts rejections_;
  std::unique_ptr<spatial_dynamics::WorldInbox> world_;
  spatial_dynamics::LineLimiter rejected_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr check_parameters_;
  rclcpp::node_interfaces::PostSetParametersCallbackHandle::SharedPtr apply_parameters_;
};

}  // namespace spatial_dynamics_ros2_control
