// The demo's own place in the graph: it asks the dynamics node for a motion and watches what comes of it.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dds/node.hpp"
#include "demo_reading.hpp"
#include "demo_recorder.hpp"
#include "sent_torques.hpp"
#include "spatial_dynamics/runtime/smooth_reference.hpp"

namespace spatial_dynamics::cli {

/// Allocates; throws dds::Error.
class DemoNode {
 public:
  /// `dynamics` is the full name of the node that is watched. With a reference it is told to follow it.
  DemoNode(const dds::NodeOptions& options, const std::string& dynamics, DemoSubject subject,
           std::optional<SmoothReference> reference);

  [[nodiscard]] const DemoSubject& subject() const noexcept { return subject_; }
  /// Publishers of joint states and of torques that were found.
  [[nodiscard]] std::uint32_t state_publishers() const noexcept {
    return states_reader_->matched();
  }
  [[nodiscard]] std::uint32_t torque_publishers() const noexcept {
    return torque_reader_->matched();
  }
  [[nodiscard]] const std::string& states_topic() const noexcept { return states_reader_->topic(); }

  /// True once a state and a torque have come.
  [[nodiscard]] bool ready() const;
  /// Starts the motion and the measurements where the robot stands now.
  void begin();
  /// Sends the next piece of the motion; to be called every kReferencePeriodSeconds. If it was not for so long that the robot has run
  /// out of reference, the motion begins anew where the robot stands.
  void send_reference();
  static constexpr double kReferencePeriodSeconds = 0.05;

  /// From begin() on a row per state is written there.
  void record_to(DemoRecorder recorder);
  /// Ends the record; false if it could not be written.
  [[nodiscard]] bool end_record();

  [[nodiscard]] DemoReading reading();
  /// The same with timings of the whole run instead of the last second.
  [[nodiscard]] DemoReading whole_run();

 private:
  struct Series {  // of one timing, a number per second
    std::vector<double> p50, p99;
    double last_max = 0.0, max = 0.0;
    [[nodiscard]] Timing last() const;
    [[nodiscard]] Timing whole() const;
  };
  struct ErrorSum {
    double squares = 0.0, largest = 0.0;
  };

  void subscribe(const std::string& dynamics);
  void on_states(const dds::JointState& message);
  void on_torque(const dds::JointState& message);
  void on_acceleration(const dds::JointTrajectory& message);
  void on_diagnostics(const dds::DiagnosticArray& message, const std::string& dynamics);
  void on_statistics(const dds::MetricsMessage& message);
  void note_errors(std::int64_t time);
  void begin_motion(std::int64_t now);
  Series* series_of(std::string_view metric);

  DemoSubject subject_;
  std::optional<SmoothReference> reference_;
  dds::Node node_;
  dds::Message<dds::JointTrajectory> trajectory_;
  std::optional<dds::Writer<dds::JointTrajectory>> reference_writer_;
  std::int64_t last_sent_ = 0;

  mutable std::mutex mutex_;  // of all that follows up to the readers
  DemoReading now_;
  bool has_state_ = false, has_torque_ = false;
  std::int64_t begun_ = 0;         // steady clock, ns; 0: not yet
  std::int64_t motion_begun_ = 0;  // the same unless the motion had to begin anew
  std::vector<double> start_;
  MotionPoint point_;
  std::vector<ErrorSum> errors_;
  std::uint64_t torques_ = 0;
  std::deque<std::pair<std::int64_t, std::uint64_t>> torque_counts_;  // of the last second
  SentTorques sent_;                                                  // since the beginning
  Series state_age_, jitter_, compute_, latency_;
  std::optional<DemoRecorder> recorder_;
  std::optional<double> torque_age_;  // of the newest torque, s; none since the last row

  // Last: their callbacks use all of the above.
  std::optional<dds::Reader<dds::JointState>> states_reader_, torque_reader_;
  std::optional<dds::Reader<dds::JointTrajectory>> acceleration_reader_;
  std::optional<dds::Reader<dds::DiagnosticArray>> diagnostics_reader_;
  std::optional<dds::Reader<dds::MetricsMessage>> statistics_reader_;
};

}  // namespace spatial_dynamics::cli
