// The node `robot_simulator` for ROS 2: a simulated robot, as a component.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>

#include "runtime/simulator_core.hpp"

namespace spatial_dynamics {

template <typename M>
class SimulatorPublishers;
namespace ros2 {
struct Rclcpp;
}

/// Efforts from dynamics/torque in, joint_states (and odom, /clock) out; services ~/pause and
/// ~/reset. An ordinary node without lifecycle, because it represents hardware.
class SimulatorNode final : public rclcpp::Node, private SimulatorFrontEnd {
 public:
  /// Throws ModelError, ParameterError or RealtimeError with one sentence.
  explicit SimulatorNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~SimulatorNode() override;

 private:
  [[nodiscard]] bool publish(const Coordinates& coordinates, const Measurement& measurement,
                             std::int64_t stamp, std::int64_t clock) override;
  void log(LogLevel level, const std::string& text) override;
  void subscribe(const TopicDescription& row, const std::function<void(const QosMismatch&)>& note);
  void offer_services();
  void note_effort_publishers();

  std::shared_ptr<LogQueue> log_;  // before the core, which logs
  std::shared_ptr<SimulatorPublishers<ros2::Rclcpp>> outputs_;
  std::unique_ptr<SimulatorCore> core_;
  std::map<Topic, rclcpp::SubscriptionBase::SharedPtr> inputs_;
  rclcpp::TimerBase::SharedPtr effort_timer_;
  rclcpp::Service<std_srvs::srv::SetBool>::SharedPtr pause_;
  rclcpp::Service<std_srvs::srv::Trigger>::SharedPtr reset_;
};

}  // namespace spatial_dynamics
