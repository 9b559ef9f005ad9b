// The node `robot_simulator` on Cyclone DDS: efforts from dynamics/torque in, joint_states (and
// odom, /clock) out.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dds/dynamics_node.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/simulator_messages.hpp"

namespace spatial_dynamics::dds {

struct SimulatorNodeOptions {
  ParameterSet parameters{simulator_parameter_table()};
  NodeOptions node{"robot_simulator", "/", {}, {}, process_environment()};
  Log log;         ///< any thread; must not wait for a slow reader of the log
  GiveUp give_up;  ///< ends the reading of a URDF from a pipe; may be empty
};

/// Throws ModelError, ParameterError, RealtimeError or Error with one sentence.
class SimulatorNode final : private SimulatorFrontEnd {
 public:
  explicit SimulatorNode(SimulatorNodeOptions options);
  ~SimulatorNode() override;

  [[nodiscard]] const Node& node() const noexcept { return node_; }

 private:
  [[nodiscard]] bool publish(const Coordinates& coordinates, const Measurement& measurement,
                             std::int64_t stamp, std::int64_t clock) override {
    return outputs_.publish(coordinates, measurement, stamp, clock);
  }
  void log(LogLevel level, const std::string& text) override { log_(level, text); }
  void subscribe(const TopicDescription& row);
  void note_effort_publishers();

  Log log_;
  Node node_;
  SimulatorPublishers<Cyclone> outputs_;
  std::unique_ptr<SimulatorCore> core_;
  // Last: their callbacks use all of the above.
  std::vector<std::pair<Topic, AnyReader>> inputs_;
};

}  // namespace spatial_dynamics::dds
