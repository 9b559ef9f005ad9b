// The demo's own node: it publishes a reference and measures how the robot follows it.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/nodes/demo/demo_hand.hpp"
#include "cli/nodes/demo/demo_reading.hpp"
#include "cli/nodes/demo/demo_recorder.hpp"
#include "cli/nodes/demo/node_figures.hpp"
#include "dds/node.hpp"
#include "simulation/tracked_motion.hpp"

namespace spatial_dynamics::cli {

/// Allocates; throws dds::Error.
class DemoNode {
 public:
  /// `dynamics` is the full name of the observed node. A reference, if given, is published for it.
  DemoNode(const dds::NodeOptions& options, const std::string& dynamics, DemoSubject subject,
           std::optional<SmoothReference> reference);

  [[nodiscard]] const DemoSubject& subject() const noexcept { return subject_; }
  /// Number of discovered publishers of joint states and of torques.
  [[nodiscard]] std::uint32_t state_publishers() const noexcept {
    return states_reader_->matched();
  }
  [[nodiscard]] std::uint32_t torque_publishers() const noexcept {
    return torque_reader_->matched();
  }
  [[nodiscard]] const std::string& states_topic() const noexcept { return states_reader_->topic(); }

  /// True once a state and a torque have been received.
  [[nodiscard]] bool ready() const;
  /// A simulated hand pushes the robot that `simulator` (a full name) simulates, from begin() on.
  void add_hand(const std::string& simulator, DemoHand hand);
  /// Starts the motion at the robot's present position, and the measurements.
  void begin();
  /// Sends the next piece of the motion, and the force of the hand. Call it every
  /// kReferencePeriodSeconds. If the calls paused for longer than the reference lasts, the motion
  /// restarts at the robot's present position.
  void send_reference();
  static constexpr double kReferencePeriodSeconds = 0.05;

  /// Writes one row per state from begin() on.
  void record_to(DemoRecorder recorder);
  /// Closes the record. Returns false if it could not be written.
  [[nodiscard]] bool end_record();

  [[nodiscard]] DemoReading reading();
  /// The same with timings of the whole run instead of the last second.
  [[nodiscard]] DemoReading whole_run();

 private:
  void subscribe(const std::string& dynamics);
  void on_states(const dds::JointState& message);
  void on_torque(const dds::JointState& message);
  void on_acceleration(const dds::JointTrajectory& message);
  void on_external_torque(const dds::JointState& message);
  /// Adds the time since the last state to the time of joints that are at a stop.
  void note_stops(std::int64_t time);
  void begin_motion(std::int64_t now);
  void push();
  /// Under mutex_.
  [[nodiscard]] DemoReading reading(bool whole_run);

  DemoSubject subject_;
  TrackedMotion motion_;
  std::int64_t steady_minus_system_;  // ns; read once, so that the order of states is kept
  dds::Node node_;
  dds::Message<dds::JointTrajectory> trajectory_;
  std::optional<dds::Writer<dds::JointTrajectory>> reference_writer_;
  std::int64_t last_sent_ = 0;
  std::optional<DemoHand> hand_;
  dds::Message<dds::WrenchStamped> wrench_;
  std::optional<dds::Writer<dds::WrenchStamped>> wrench_writer_;

  mutable std::mutex mutex_;  // guards the members up to the readers
  DemoReading now_;
  bool has_state_ = false, has_torque_ = false;
  std::int64_t begun_ = 0;         // steady clock, ns; 0: not yet
  std::int64_t motion_begun_ = 0;  // the same unless the motion restarted
  std::vector<double> positions_;  // of the newest state
  std::int64_t state_time_ = 0;    // its time, steady clock; 0: none since begin()
  std::uint64_t torques_ = 0;
  std::deque<std::pair<std::int64_t, std::uint64_t>> torque_counts_;  // of the last second
  NodeFigures figures_;
  std::optional<DemoRecorder> recorder_;
  std::optional<double>
      torque_age_;  // of the newest torque, s; empty if none came since the last row

  // Last: their callbacks use the members above.
  std::optional<dds::Reader<dds::JointState>> states_reader_, torque_reader_, external_reader_;
  std::optional<dds::Reader<dds::JointTrajectory>> acceleration_reader_;
  std::optional<dds::Reader<dds::DiagnosticArray>> diagnostics_reader_;
  std::optional<dds::Reader<dds::MetricsMessage>> statistics_reader_;
};

}  // namespace spatial_dynamics::cli
