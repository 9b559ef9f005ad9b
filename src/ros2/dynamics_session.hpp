// The node `dynamics` from configure to cleanup: its topics, and DynamicsCore, which decides
// everything.
#pragma once

#include <chrono>
#include <memory>
#include <rclcpp/node_interfaces/node_graph_interface.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ros2/command_thread.hpp"
#include "ros2/middleware.hpp"
#include "ros2/rivals.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/robot_source.hpp"

namespace spatial_dynamics::ros2 {

class DynamicsSession final : private FrontEnd,
                              public std::enable_shared_from_this<DynamicsSession> {
 public:
  /// Loads the robot if the parameters name one (otherwise waits for robot_description) and joins
  /// the topics. `give_up` ends the reading of a URDF from a pipe. With Loop::kCaller the caller
  /// reads joint states itself: joint_states is not joined, other publishers of torques are not
  /// detected, and ~/set_active acts on the core. With Loop::kOwn the node reads ~/set_active, and
  /// its lifecycle state follows. Throws ModelError, ParameterError or RealtimeError with one
  /// sentence.
  static std::shared_ptr<DynamicsSession> open(rclcpp_lifecycle::LifecycleNode& node,
                                               const ParameterSet& parameters,
                                               std::shared_ptr<LogQueue> log, const GiveUp& give_up,
                                               Loop loop = Loop::kOwn);

  [[nodiscard]] DynamicsCore& core() noexcept { return core_; }

  ~DynamicsSession() override;
  DynamicsSession(const DynamicsSession&) = delete;
  DynamicsSession& operator=(const DynamicsSession&) = delete;

 private:
  DynamicsSession(rclcpp_lifecycle::LifecycleNode& node, const ParameterSet& parameters,
                  std::shared_ptr<LogQueue> log, Loop loop);
  void subscribe(rclcpp_lifecycle::LifecycleNode& node, const TopicDescription& row,
                 const NoteMismatch& note);
  void subscribe_activation(rclcpp_lifecycle::LifecycleNode& node, const TopicDescription& row,
                            const NoteMismatch& note);
  /// A callback for serialised messages, which are decoded and delivered on the command thread. One
  /// with too many elements is dropped and logged.
  template <typename T, typename Deliver>
  [[nodiscard]] auto decode_on_own_thread(const std::string& topic, Deliver deliver);
  void watch_rivals(rclcpp_lifecycle::LifecycleNode& node);
  void note_rivals();
  void listen_to_rivals(bool present);
  void note_torque(const TopicRivals& rivals, std::uint64_t source);
  void log_dropped(const std::string& topic, const std::string& reason);

  [[nodiscard]] bool publish(const Robot& robot, const ControlOutput& outputs) override {
    return outputs_.publish(robot, outputs);
  }
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics) override {
    outputs_.publish_report(diagnostics, metrics, ros_now());
  }
  [[nodiscard]] bool torques_received(std::chrono::milliseconds limit) override;
  void log(LogLevel level, const std::string& text) override;
  [[nodiscard]] std::uint64_t log_lines_lost() const override { return log_->lost(); }
  [[nodiscard]] Surroundings surroundings() const override;
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const override {
    return sources_.node_of(source);
  }
  [[nodiscard]] std::int64_t ros_now() const override;

  std::shared_ptr<LogQueue> log_;
  rclcpp::Clock::SharedPtr clock_;
  rclcpp::node_interfaces::NodeGraphInterface::SharedPtr graph_;
  std::string name_;
  std::size_t domain_;
  DynamicsCore core_;
  OutputPublishers<Rclcpp> outputs_;
  std::vector<std::pair<Topic, rclcpp::SubscriptionBase::SharedPtr>> subscriptions_;

  SourceNames sources_;
  // Used only on the executor's thread, from open() on.
  rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr topics_;
  rclcpp::node_interfaces::NodeParametersInterface::SharedPtr node_parameters_;
  std::mutex rivals_mutex_;  // of the next two
  std::vector<TopicRivals> rivals_;
  std::vector<ForeignPublisher> foreign_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> rival_subscriptions_;
  LineLimiter rival_errors_, dropped_;  // log lines
  rclcpp::TimerBase::SharedPtr rivals_timer_;
  CommandThread commands_;  // last: its jobs use the rest
};

}  // namespace spatial_dynamics::ros2
