// The node of `play`: sends a motion in pieces and watches how the robot follows it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/nodes/play/state_recorder.hpp"
#include "cli/nodes/send/send.hpp"
#include "identification/played_motion.hpp"

namespace spatial_dynamics::cli {

/// How well the robot followed.
struct Tracking {
  double largest = 0.0;  ///< rad or m
  std::string joint;     ///< empty if no state arrived
};

/// Functions throw std::runtime_error with one sentence. The functions but the callbacks belong to
/// one thread.
class PlayNode {
 public:
  PlayNode(const std::string& target, const JointMotion& motion, const dds::RosArguments& ros);

  /// Waits for the node and for the positions of all joints, which it returns.
  [[nodiscard]] VectorXd connect();

  /// `motion` begins now and must outlive this. Rows go to `recorder`, which may be null, from the
  /// end of the approach on.
  void begin(const PlayedMotion& motion, StateRecorder* recorder);
  /// Seconds since begin().
  [[nodiscard]] double time() const noexcept;
  /// Comes to rest from now on. `motion` is that of begin().
  void stop(PlayedMotion& motion);
  /// Sends the next piece. Throws if the node has rejected one.
  void send();
  static constexpr double kPeriodSeconds = 0.05;
  /// Waits. Returns true if a signal has arrived.
  [[nodiscard]] bool wait(double seconds) const { return connection_.signals().wait(seconds) != 0; }
  /// Waits until the node has reported the result of the last piece, and ends the record.
  Tracking finish();

  [[nodiscard]] const std::string& target() const noexcept { return connection_.target(); }
  [[nodiscard]] std::string mode() const {
    return connection_.reports().newest().value("torque mode");
  }

 private:
  void on_states(const dds::JointState& message);
  void track(double t);

  const std::vector<std::string> joints_;
  Connection connection_;
  dds::Writer<dds::JointTrajectory> writer_;
  dds::Message<dds::JointTrajectory> trajectory_;
  std::int64_t begun_ = 0, begun_system_ = 0;  // ns
  const PlayedMotion* motion_ = nullptr;

  mutable std::mutex mutex_;
  VectorXd positions_;
  std::vector<bool> known_;
  RecordedStates states_;
  StateRecorder* recorder_ = nullptr;
  bool tracking_ = false;
  Tracking error_;
  VectorXd q_, v_, a_;                   // of the callback
  dds::Reader<dds::JointState> reader_;  // last: its callback uses the members above
};

}  // namespace spatial_dynamics::cli
