// The node without its middleware: robot, loop, publisher thread, diagnostics. A front end only translates.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "spatial_dynamics/runtime/change_teller.hpp"
#include "spatial_dynamics/runtime/histogram.hpp"
#include "spatial_dynamics/runtime/line_limiter.hpp"
#include "spatial_dynamics/runtime/loop.hpp"
#include "spatial_dynamics/runtime/robot.hpp"

namespace spatial_dynamics {

/// The state of the node in words, once a second.
struct Diagnostics {
  enum class Level { kOk, kWarning, kError };
  Level level = Level::kOk;
  std::string message;
  std::vector<std::pair<std::string, std::string>> values;
};

/// One figure of the last second; times in ms.
struct Metric {
  std::string name;
  std::string unit;
  double mean = 0.0, min = 0.0, max = 0.0, p50 = 0.0, p99 = 0.0;
  std::uint64_t count = 0;
};

enum class LogLevel { kInfo, kWarning, kError };

/// What a door sees of the others in its graph.
struct Surroundings {
  std::vector<std::string> unpublished;  ///< inputs that are needed and that nobody publishes
  std::size_t domain = 0;
  std::size_t namesakes = 0;  ///< other nodes of our name
};

/// What a door does for the core. The two publish functions are called on the core's publisher thread (with `trigger: state` also on
/// the thread that brought the state), never on the loop's, and never two at once.
class FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  /// False if there was a torque to send (`outputs.send_torque`) and it did not go out.
  [[nodiscard]] virtual bool publish(const Robot& robot, const EngineOutputs& outputs) = 0;
  virtual void publish_report(const Diagnostics& diagnostics,
                              const std::vector<Metric>& metrics) = 0;
  virtual void log(LogLevel level, const std::string& text) = 0;  ///< any thread but the loop's
  [[nodiscard]] virtual Surroundings surroundings() const { return {}; }  ///< any but the loop's
  /// The clock of the stamps, ns; 0 while it is not known, that is, before the first /clock with use_sim_time. Any thread.
  [[nodiscard]] virtual std::int64_t ros_now() const = 0;
};

/// Owns the threads. Functions may be called from any thread unless they say otherwise; none of them blocks for longer than a
/// model takes to build, and none is called by the loop.
class DynamicsCore {
 public:
  /// Throws ParameterError.
  DynamicsCore(FrontEnd& front_end, ParameterSet parameters);
  ~DynamicsCore();  ///< stops at once; call deactivate() and wait_until_idle() before
  DynamicsCore(const DynamicsCore&) = delete;
  DynamicsCore& operator=(const DynamicsCore&) = delete;

  [[nodiscard]] Config config() const;

  /// Builds a robot aside and hands it to the loop at a cycle's edge. While active, one with the same coordinates takes over with a
  /// fade, another one after the torque has been ramped to zero. Throws ModelError or ParameterError; the old robot then stays.
  void set_robot(std::string_view urdf);
  /// The robot that callbacks serve; null before the first.
  [[nodiscard]] std::shared_ptr<Robot> robot() const;
  /// Whether nothing is sent without the base's state.
  [[nodiscard]] bool needs_odometry() const;

  /// Starts the threads (once). Throws RealtimeError.
  void start();
  /// Ends the threads. The torque should have been ramped down before.
  void stop() noexcept;

  /// Deactivates, waits for the ramp to zero, and stops. If the ramp does not end in time a zero is sent at once, and the answer is
  /// false. Not from a callback.
  bool finish(std::chrono::milliseconds limit);

  void activate() noexcept { active_.store(true); }
  /// Asks for the ramp to zero and returns at once.
  void deactivate() noexcept { active_.store(false); }
  [[nodiscard]] bool active() const noexcept { return active_.load(); }
  /// True when nothing more will be sent.
  [[nodiscard]] bool idle() const noexcept;
  /// False if it took longer.
  bool wait_until_idle(std::chrono::milliseconds limit) const;
  [[nodiscard]] Phase phase() const noexcept { return phase_.load(); }

  /// Changes a live parameter at a cycle's edge. Throws ParameterError with the reason; nothing changes then.
  void set_parameter(const std::string& name, const ParameterValue& value);
  /// Several at once: all or none.
  void set_parameters(const std::vector<std::pair<std::string, ParameterValue>>& changes);

  // Messages. Each is counted under its reason if it is dropped.
  void on_joint_states(const JointStateView& message);
  void on_odometry(const OdometryView& message) const;
  void on_reference(const TrajectoryView& message) const;
  void on_effort_command(const JointStateView& message) const;
  void on_wrench(const WrenchView& message) const;
  void on_payload(const PayloadView& message);
  void on_gravity(const GravityView& message) const;

  /// A peer was found on one of our topics (full name) whose quality of service does not fit ours, so that nothing goes between us;
  /// `policy` names what differs ("RELIABILITY"). Diagnostics tell of it from now on.
  void note_incompatible_qos(const std::string& topic, const std::string& policy);

  [[nodiscard]] Diagnostics diagnostics() const;
  /// Of the loop's thread; with `trigger: state` that is the watchdog.
  [[nodiscard]] const LoopStatistics& loop_statistics() const noexcept {
    return loop_->statistics();
  }
  /// Of the cycles that compute torques. With `trigger: state` a cycle is due when its state has come in, and `skipped` counts states
  /// that came faster than rate_hz.
  [[nodiscard]] const LoopStatistics& cycle_statistics() const noexcept {
    return direct() ? direct_statistics_ : loop_->statistics();
  }
  /// Steady clock: from state in to torque handed to the publisher, ns.
  [[nodiscard]] const Histogram& latency() const noexcept { return latency_; }
  /// The part of it before the cycle began: at a fixed rate, the wait for the tick.
  [[nodiscard]] const Histogram& state_wait() const noexcept { return state_wait_; }
  [[nodiscard]] const Histogram& state_age() const noexcept { return state_age_; }

 private:
  [[nodiscard]] bool direct() const noexcept { return trigger_ == Trigger::kState; }
  void tick(std::int64_t now) noexcept;
  bool step(std::int64_t now, bool directly) noexcept;
  void note_step(std::int64_t now, std::int64_t begun, const EngineOutputs& out) noexcept;
  bool adopt_next() noexcept;
  void step_directly(std::int64_t now);
  void run_publisher();
  void publish(const Robot& robot, const EngineOutputs& outputs);
  void report();
  void tell_changes(const Diagnostics& diagnostics);
  [[nodiscard]] Diagnostics diagnostics(Faults faults) const;
  void tell_of_surroundings(const Config& config, Diagnostics& diagnostics) const;
  [[nodiscard]] std::uint64_t overruns() const noexcept;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> diagnostic_values(
      const Robot& robot, const Config& config, const std::string& faults_in_words) const;
  void free_retired();
  std::vector<Metric> metrics();
  void note_config() noexcept;

  FrontEnd& front_end_;
  Trigger trigger_;

  mutable std::mutex control_;  // parameters_, robot_, alive_; never taken by the loop
  ParameterSet parameters_;
  Config config_;
  std::shared_ptr<Robot> robot_;
  std::vector<std::shared_ptr<Robot>> alive_;  // all that the loop or the publisher may look at
  std::string last_refusal_;                   // of a robot description

  mutable std::mutex mismatches_mutex_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> mismatches_;  // topic, policy: peers

  // loop's side
  Robot* current_ = nullptr;  // under stepping_
  std::atomic_flag stepping_ = ATOMIC_FLAG_INIT;
  std::int64_t last_step_ = 0;
  std::uint64_t last_sequence_ = 0;

  // between the two
  std::atomic<Robot*> next_{nullptr};
  std::atomic<Robot*> retired_{nullptr};
  std::atomic<Robot*> published_{nullptr};
  std::atomic<bool> active_{false};
  std::atomic<std::int64_t> shortest_step_{0};  // ns between two steps with trigger: state
  std::atomic<MissingVelocity> missing_velocity_{MissingVelocity::kZero};
  std::atomic<Phase> phase_{Phase::kInactive};
  std::atomic<Faults> faults_{0};
  std::atomic<Faults> faults_seen_{0};  // since the last report
  std::atomic<std::int64_t> stalest_{-1};
  std::atomic<bool> effort_was_measured_{false};
  sem_t ready_{};

  std::unique_ptr<FixedRateLoop> loop_;
  LoopStatistics direct_statistics_;        // under stepping_
  std::atomic<std::uint64_t> left_out_{0};  // cycles that fell into the hand-over of a robot
  Histogram latency_, state_wait_, state_age_;
  HistogramSnapshot latency_before_, state_age_before_, jitter_before_, compute_before_;
  std::uint64_t overruns_before_ = 0;

  std::mutex publishing_;  // last_published_, and the front end's two publish functions
  std::int64_t last_published_ = 0;
  std::atomic<std::uint64_t> torques_sent_{0};  // that went out, as the front end says
  ChangeTeller changes_;                        // the publisher thread's: what the log is told
  LineLimiter unsent_;                          // log lines
  LineLimiter fixed_payloads_;
  std::atomic<bool> stopping_{false};
  std::thread publisher_;
};

}  // namespace spatial_dynamics
