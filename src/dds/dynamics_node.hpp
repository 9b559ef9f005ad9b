// The node `dynamics` on Cyclone DDS alone: translates messages for DynamicsCore, which decides everything.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dds/node_log.hpp"
#include "spatial_dynamics/runtime/dynamics_core.hpp"
#include "spatial_dynamics/runtime/output_values.hpp"

namespace spatial_dynamics::dds {

struct DynamicsNodeOptions {
  ParameterSet parameters{parameter_table()};
  NodeOptions node{"dynamics", "/", {}, {}, process_environment()};
  Log log;  ///< any thread
};

/// Joins the graph, loads the robot if the parameters name one (else waits for robot_description), and sends torques as soon as
/// states arrive. Throws ModelError, ParameterError (without `autostart` too: nobody could activate it), RealtimeError or Error
/// with one sentence.
class DynamicsNode final : private FrontEnd {
 public:
  explicit DynamicsNode(DynamicsNodeOptions options);
  ~DynamicsNode() override;

  /// Ramps the torque to zero, sends the zero, sees that it is heard, and ends. False if the ramp did not end in time. Takes at most
  /// the limit and 0.2 s.
  bool shut_down(std::chrono::milliseconds limit = std::chrono::milliseconds(900));

  [[nodiscard]] const DynamicsCore& core() const noexcept { return *core_; }
  [[nodiscard]] const Node& node() const noexcept { return node_; }

 private:
  [[nodiscard]] bool publish(const Robot& robot, const EngineOutputs& outputs) override;
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>& metrics) override;
  void log(LogLevel level, const std::string& text) override;
  [[nodiscard]] Surroundings surroundings() const override;
  [[nodiscard]] std::int64_t ros_now() const override;

  [[nodiscard]] NodeOptions with_notes(NodeOptions options);
  void advertise(const Config& config);
  void subscribe(const Config& config);
  void set_robot(std::string_view urdf);
  bool write_joint_vector(Writer<JointState>& writer, const Robot& robot, std::int64_t stamp,
                          const VectorXd& values);
  void write_array(const JointSettings& joints, const EngineOutputs& outputs);
  void write_acceleration(const Robot& robot, const EngineOutputs& outputs);
  void write_base(const Robot& robot, const EngineOutputs& outputs);
  void write_mass_matrix(const Robot& robot, const EngineOutputs& outputs);
  void write_diagnostics(const Diagnostics& diagnostics);
  void write_metrics(const std::vector<Metric>& metrics);

  Log log_;
  Node node_;
  bool use_sim_time_;
  std::atomic<std::int64_t> sim_time_{0};
  std::atomic<std::uint64_t> unsent_{0};  // writes that the middleware refused
  std::vector<double> scratch_;           // publisher's
  TorqueArray array_values_;              // publisher's

  // Before readers and writers: they tell it of peers that do not fit, to the end.
  std::unique_ptr<DynamicsCore> core_;

  Message<JointState> joint_vector_;
  Message<Float64MultiArray> array_, matrix_;
  Message<JointTrajectory> trajectory_;
  Message<AccelStamped> base_acceleration_message_;
  Message<WrenchStamped> base_wrench_message_;
  Message<DiagnosticArray> diagnostics_message_;
  Message<MetricsMessage> metrics_message_;
  std::optional<Writer<JointState>> torque_, external_torque_;
  std::optional<Writer<JointState>> gravity_term_, coriolis_term_, inertial_term_, friction_term_,
      external_term_;
  std::optional<Writer<Float64MultiArray>> torque_array_, mass_matrix_;
  std::optional<Writer<JointTrajectory>> acceleration_;
  std::optional<Writer<AccelStamped>> base_acceleration_;
  std::optional<Writer<WrenchStamped>> base_wrench_;
  std::optional<Writer<DiagnosticArray>> diagnostics_;
  std::optional<Writer<MetricsMessage>> statistics_;

  // Last: their callbacks use all of the above.
  std::optional<Reader<Clock>> clock_reader_;
  std::optional<Reader<String>> description_reader_;
  std::optional<Reader<JointState>> states_reader_, effort_reader_;
  std::optional<Reader<JointTrajectory>> reference_reader_;
  std::optional<Reader<WrenchStamped>> wrench_reader_;
  std::optional<Reader<InertiaStamped>> payload_reader_;
  std::optional<Reader<Vector3Stamped>> gravity_reader_;
  std::optional<Reader<Odometry>> odometry_reader_;
};

}  // namespace spatial_dynamics::dds
