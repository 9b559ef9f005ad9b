// The node `robot_simulator` on Cyclone DDS: efforts from dynamics/torque in, joint_states (and odom, /clock) out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dds/dynamics_node.hpp"
#include "spatial_dynamics/runtime/simulator_core.hpp"

namespace spatial_dynamics::dds {

struct SimulatorNodeOptions {
  ParameterSet parameters{simulator_parameter_table()};
  NodeOptions node{"robot_simulator", "/", {}, {}, process_environment()};
  Log log;  ///< any thread
};

/// Throws ModelError, ParameterError, RealtimeError or Error with one sentence.
class SimulatorNode final : private SimulatorFrontEnd {
 public:
  explicit SimulatorNode(SimulatorNodeOptions options);
  ~SimulatorNode() override;

  [[nodiscard]] const Node& node() const noexcept { return node_; }

 private:
  void publish(const Engine& robot, const Measurement& measurement, std::int64_t stamp,
               std::int64_t clock) override;
  void log(LogLevel level, const std::string& text) override { log_(level, text); }
  void note_unsent();
  void write_odometry(const Engine& robot, const Measurement& measurement, std::int64_t stamp);

  Log log_;
  Node node_;
  LineLimiter unsent_;  // log lines
  std::vector<double> scratch_;
  std::vector<std::string> names_;
  Message<JointState> state_;
  Message<Odometry> odometry_message_;
  Message<Clock> clock_message_;
  std::optional<Writer<JointState>> states_;
  std::optional<Writer<Odometry>> odometry_;
  std::optional<Writer<Clock>> clock_;
  std::unique_ptr<SimulatorCore> core_;
  // Last: their callbacks use all of the above.
  std::optional<Reader<String>> description_reader_;
  std::optional<Reader<JointState>> effort_reader_;
};

}  // namespace spatial_dynamics::dds
