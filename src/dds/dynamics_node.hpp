// The node `dynamics` on Cyclone DDS: converts messages for DynamicsCore, which makes all
// decisions.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dds/middleware.hpp"
#include "dds/rivals.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/robot_source.hpp"

namespace spatial_dynamics::dds {

struct DynamicsNodeOptions {
  ParameterSet parameters{parameter_table()};
  NodeOptions node{"dynamics", "/", {}, {}, process_environment()};
  Log log;  ///< any thread; must not wait for a slow reader of the log
  std::function<std::uint64_t()> log_lines_lost;  ///< shown in diagnostics; may be empty
  GiveUp give_up;  ///< ends the reading of a URDF from a pipe; may be empty
};

/// Joins the graph, loads the robot if the parameters name one (else waits for robot_description),
/// and sends torques as soon as states arrive and it is active: from the start with `autostart`,
/// else after `true` on ~/set_active. Throws ModelError, ParameterError, RealtimeError or Error
/// with one sentence.
class DynamicsNode final : private FrontEnd {
 public:
  explicit DynamicsNode(DynamicsNodeOptions options);
  ~DynamicsNode() override;

  /// See DynamicsCore::finish().
  bool shut_down() { return core_->finish(); }

  [[nodiscard]] const DynamicsCore& core() const noexcept { return *core_; }
  [[nodiscard]] const Node& node() const noexcept { return node_; }

 private:
  [[nodiscard]] bool publish(const Robot& robot, const ControlOutput& outputs) override {
    return outputs_->publish(robot, outputs);
  }
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics) override {
    outputs_->publish_report(diagnostics, metrics, ros_now());
  }
  [[nodiscard]] bool torques_received(std::chrono::milliseconds limit) override;
  void log(LogLevel level, const std::string& text) override { log_(level, text); }
  [[nodiscard]] std::uint64_t log_lines_lost() const override {
    return log_lines_lost_ ? log_lines_lost_() : 0;
  }
  [[nodiscard]] Surroundings surroundings() const override;
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const override {
    return node_.publisher_name(source);
  }
  [[nodiscard]] std::int64_t ros_now() const override;

  [[nodiscard]] NodeOptions with_callbacks(NodeOptions options);
  void subscribe(const TopicDescription& row);
  void raise_receiver() const noexcept;

  Log log_;
  std::function<std::uint64_t()> log_lines_lost_;
  Node node_;
  bool use_sim_time_;
  RealtimeSettings realtime_;
  std::atomic<std::int64_t> sim_time_{0};

  // Before readers and writers, whose callbacks use it.
  std::unique_ptr<DynamicsCore> core_;
  std::optional<OutputPublishers<Cyclone>> outputs_;

  // Last: their callbacks use all members above.
  std::optional<Reader<Clock>> clock_reader_;
  std::vector<std::pair<Topic, AnyReader>> inputs_;
  std::optional<RivalWatch> rivals_;
};

}  // namespace spatial_dynamics::dds
