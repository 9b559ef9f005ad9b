// The node without its middleware: robots, parameters, threads. A front end only translates.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/description_loader.hpp"
#include "runtime/dynamics_report.hpp"
#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/message_delivery.hpp"
#include "runtime/output_sender.hpp"
#include "runtime/parameter_update.hpp"
#include "spatial_dynamics/runtime/loop.hpp"

namespace spatial_dynamics {

/// Owns the threads. Functions may be called from any thread unless stated otherwise; none of them
/// blocks for longer than a model takes to build, and none is called by the loop.
class DynamicsCore {
 public:
  /// Throws ParameterError.
  DynamicsCore(FrontEnd& front_end, ParameterSet parameters, Loop loop = Loop::kOwn);
  ~DynamicsCore();  ///< as stop()
  DynamicsCore(const DynamicsCore&) = delete;
  DynamicsCore& operator=(const DynamicsCore&) = delete;

  [[nodiscard]] Config config() const;
  /// All parameters as they are now. The core owns them from its construction on.
  [[nodiscard]] ParameterSet parameters() const;

  /// Builds a robot and offers it to the loop, which adopts it at the edge of a cycle. While
  /// active, one with the same coordinates replaces the old one with a crossfade, another one after
  /// the torque of the old one was ramped to zero; until then the old one receives all messages and
  /// parameters. False if the description is that of the newest robot: nothing changes then. Throws
  /// ModelError or ParameterError; the old robot then stays.
  bool set_robot(std::string_view urdf);
  /// The same on a thread of its own; what is rejected is logged.
  void on_robot_description(std::string_view urdf) { loader_.submit(urdf); }
  /// The newest robot, which the loop may not have adopted yet; null before the first.
  [[nodiscard]] std::shared_ptr<Robot> robot() const { return cycle_.robots().newest(); }
  /// The order of outputs and per-joint parameters; a robot with the same joints keeps it. Empty
  /// without a robot.
  [[nodiscard]] std::vector<std::string> joint_order() const;

  /// Starts the threads (once). Throws RealtimeError.
  void start();
  /// Ends the threads. The torque should have been ramped down before. Waits for a robot
  /// description that is being loaded, which takes seconds for the largest (16 MiB).
  void stop() noexcept;

  /// Deactivates, waits for the ramp to zero, stops, and waits until the last torque is
  /// acknowledged; activate() has no effect from here to the next start(). If the ramp does not end
  /// within the limit and the last torque was not zero, zero is sent at once, which is logged, and
  /// the result is false. Takes at most the limit and kLongestAcknowledgement, apart from a write
  /// that the middleware blocks: a robot description that is being loaded is not waited for. Not
  /// from a callback.
  bool finish(std::chrono::milliseconds limit = kLongestFinalRamp);
  /// The same without waiting, after deactivate(), for callers that ask again and again: stops when
  /// the torque is zero; true when it is acknowledged, or kLongestAcknowledgement has passed, and
  /// no robot description is being loaded, so that the destructor does not wait either.
  [[nodiscard]] bool finished();

  /// An explicit activation. Ends a latched stop, also while active. Logs the payloads and the
  /// gravity that messages have set before, or discards them (reset_world_on_activation).
  void activate() noexcept;
  /// Requests the ramp to zero and returns at once.
  void deactivate() noexcept;
  [[nodiscard]] bool active() const noexcept { return cycle_.active(); }
  /// True when nothing more will be sent: the loop has seen the deactivation and its torque is
  /// zero.
  [[nodiscard]] bool idle() const noexcept;
  /// False if it took longer.
  bool wait_until_idle(std::chrono::milliseconds limit) const;
  [[nodiscard]] Phase phase() const noexcept { return cycle_.phase(); }

  // ---- With Loop::kCaller: one thread at a time. `now` is the steady clock, ns.

  /// One cycle with states of the caller, stamped `stamp` (ROS time, ns). Returns the output, which
  /// is valid until the next call; null without a robot. Publishing and reports stay on the core's
  /// threads. Real-time safe.
  const ControlOutput* step(std::int64_t now, std::int64_t stamp, CallerInput& input) noexcept;
  /// The caller has set the torque to zero and stops calling step().
  void suspend(std::int64_t now) noexcept { cycle_.suspend(now); }
  [[nodiscard]] bool suspended() const noexcept { return cycle_.suspended(); }
  /// state_timeout_s in ns. Real-time safe.
  [[nodiscard]] std::int64_t state_timeout() const noexcept { return cycle_.state_timeout(); }
  /// Before the first call of step() and after suspend(). True if this is within five periods of
  /// suspend(): everything continues, the last torque as well. Otherwise control starts anew, which
  /// is an explicit activation unless `same_switch` (see TorqueCycle).
  bool resume(std::int64_t now, bool same_switch = false) noexcept;
  /// Discards all references of the topic, and numbers new ones after `generation`. Returns the
  /// number of the last one. Allocates, locks.
  std::uint64_t discard_references(std::uint64_t generation) const {
    return delivery_.discard_references(generation);
  }

  /// Changes a live parameter at a cycle's edge. Throws ParameterError with the reason; nothing
  /// changes then.
  void set_parameter(const std::string& name, const ParameterValue& value);
  /// Several at once: all or none.
  void set_parameters(const ParameterChanges& changes);
  /// Throws the ParameterError that set_parameters() would throw; changes nothing.
  void check_parameters(const ParameterChanges& changes) const;
  /// The topics to join; the parameters that decide this can't be changed while the node runs.
  [[nodiscard]] TopicTable topics() const;

  // Messages. Each is counted under its reason if it is dropped.
  void on_joint_states(const JointStateView& message);
  void on_odometry(const OdometryView& message) const { delivery_.on_odometry(message); }
  void on_reference(const TrajectoryView& message) const { delivery_.on_reference(message); }
  void on_effort_command(const JointStateView& message) const {
    delivery_.on_effort_command(message);
  }
  void on_stiffness(const JointStateView& message) const { delivery_.on_stiffness(message); }
  /// Acknowledges a contact, which is logged. Returns false if there is none.
  bool on_acknowledge();
  void on_wrench(const WrenchView& message) const { delivery_.on_wrench(message); }
  void on_payload(const PayloadView& message) { delivery_.on_payload(message, config().gravity); }
  void on_gravity(const GravityView& message) { delivery_.on_gravity(message, config().gravity); }

  /// A peer was found on one of our topics whose quality of service does not fit ours. Logs it, and
  /// diagnostics report it from now on.
  void note_incompatible_qos(const QosMismatch& mismatch) {
    report_.note_incompatible_qos(mismatch);
  }

  /// A command on ~/set_active: activates or deactivates, logs the result and notes it. `source`
  /// may be empty. Returns the command with its result.
  ActivationCommand on_set_active(bool active, const std::string& source) {
    return on_set_active({active, source, ""}, 0);
  }
  /// The same from the publisher with this source number (FrontEnd::publisher_name()), which may
  /// become known later.
  ActivationCommand on_set_active(bool active, std::uint64_t publisher) {
    return on_set_active({active, node_source(front_end_.publisher_name(publisher)), ""},
                         publisher);
  }
  /// The text of an ActivationCommand that the front end has carried out itself; diagnostics show
  /// it as the last one.
  void note_activation_command(const std::string& text) { report_.note_activation_command(text); }
  // Others who publish our torque topics. A front end that calls these calls look_around() when its
  // publishers exist.
  void look_around();
  void set_foreign_publishers(std::vector<ForeignPublisher> publishers);
  void note_foreign_torque(std::uint64_t source);

  [[nodiscard]] Diagnostics diagnostics() const { return report_.diagnostics(status()); }
  /// Of the loop's thread; with `trigger: state` that is the watchdog.
  [[nodiscard]] const LoopStatistics& loop_statistics() const noexcept {
    return loop_.statistics();
  }
  /// Of the cycles that compute torques. With `trigger: state` a cycle is due when its state has
  /// arrived, and `skipped` counts states that arrived faster than rate_hz.
  [[nodiscard]] const LoopStatistics& cycle_statistics() const noexcept {
    return cycle_.direct() ? cycle_.direct_statistics() : loop_.statistics();
  }
  /// Steady clock: from state in to torque handed to the publisher, ns.
  [[nodiscard]] const Histogram& latency() const noexcept { return cycle_.latency(); }
  /// The part of it before the cycle began: at a fixed rate, the wait for the tick.
  [[nodiscard]] const Histogram& state_wait() const noexcept { return cycle_.state_wait(); }
  [[nodiscard]] const Histogram& state_age() const noexcept { return cycle_.state_age(); }

 private:
  /// Under control_. Throws ParameterError.
  [[nodiscard]] ParameterUpdate prepare_update(const ParameterChanges& changes) const;
  void note_config() noexcept;
  [[nodiscard]] std::vector<std::string> setting_warnings() const;
  [[nodiscard]] DynamicsReport::Status status() const;
  ActivationCommand on_set_active(ActivationCommand command, std::uint64_t publisher);
  void reject_description(const std::string& reason);

  void stop_sending() noexcept;
  void stop_reporting() noexcept;
  void run_reporter();

  FrontEnd& front_end_;
  const Loop loop_of_;

  mutable std::mutex control_;  // the next five; never locked by the loop
  ParameterSet parameters_;
  Config config_;
  double deadline_s_ = 0.0;     // that torques are offered with, from the start on
  std::string description_;     // of the newest robot
  std::string last_rejection_;  // of a robot description

  TorqueCycle cycle_;
  OutputSender sender_;
  FixedRateLoop loop_;
  std::atomic<bool> started_{false};

  LineLimiter rejections_;  // log lines
  LimitedLog activations_{
      [this](LogLevel level, const std::string& text) { front_end_.log(level, text); }};
  MessageDelivery delivery_;
  DynamicsReport report_;
  std::atomic<bool> stopping_{false};
  std::optional<std::chrono::steady_clock::time_point> stopped_at_;  // by finished()
  std::mutex reporting_;                                             // for the next one
  std::condition_variable end_of_reports_;
  std::thread reporter_;
  DescriptionLoader loader_;  // last: its thread uses all of the above
};

}  // namespace spatial_dynamics
