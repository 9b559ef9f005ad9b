// The cycle that computes torques: which robot is stepped, when, and whether its torque may be
// sent.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/activation_gate.hpp"
#include "runtime/caller_input.hpp"
#include "runtime/exchange.hpp"
#include "runtime/robot.hpp"
#include "spatial_dynamics/runtime/histogram.hpp"
#include "spatial_dynamics/runtime/loop.hpp"

namespace spatial_dynamics {

/// Steps the controller of the current robot: on the thread of the loop, with `trigger: state` on
/// the thread that delivers a state, with Trigger::kCaller on the thread of the caller. Other
/// functions may be called from any thread.
class TorqueCycle {
 public:
  explicit TorqueCycle(Trigger trigger)
      : trigger_(trigger), suspended_(trigger == Trigger::kCaller) {}
  TorqueCycle(const TorqueCycle&) = delete;
  TorqueCycle& operator=(const TorqueCycle&) = delete;

  // ---- cycles: no allocation, no lock, no exception

  /// A tick of the loop. True if a cycle was run, so that there may be something to publish. With
  /// `trigger: state` it is the watchdog.
  bool tick(std::int64_t now) noexcept;
  /// A state has arrived, with `trigger: state`. False if it came faster than rate_hz. Waits for a
  /// cycle that runs.
  bool step_directly(std::int64_t now) noexcept;

  /// A cycle with Trigger::kCaller. Returns its output, which is valid until the next cycle; null
  /// without a robot.
  const ControlOutput* step_for_caller(std::int64_t now, std::int64_t stamp,
                                       CallerInput& input) noexcept;
  /// With Trigger::kCaller, on the thread of the caller or while it waits: the caller has set the
  /// torque to zero and stops calling. Nothing is active until resume().
  void suspend(std::int64_t now) noexcept;
  /// The caller calls again. If this is within five periods of suspend(), phase, latched faults and
  /// the last torque continue, which is not an activation. Otherwise control starts anew: returns
  /// false, and activate() is to be called.
  ///
  /// With `same_switch` both calls belong to one operation of the caller, which a busy machine may
  /// prolong: five periods are then at least 0.1 s. However long it takes, it is not an activation:
  /// latched faults stay latched, and what was deactivated stays inactive. If false is returned,
  /// control starts anew without activate().
  bool resume(std::int64_t now, bool same_switch) noexcept;
  [[nodiscard]] bool suspended() const noexcept { return suspended_.load(); }
  /// state_timeout_s in ns.
  [[nodiscard]] std::int64_t state_timeout() const noexcept { return state_timeout_.load(); }

  // ---- commands

  void set_config(const Config& config) noexcept;
  /// No effect after end().
  void activate() noexcept;
  void deactivate() noexcept;
  /// How many contacts were acknowledged.
  [[nodiscard]] std::uint64_t acknowledged() const noexcept { return acknowledgement_.load(); }
  /// Acknowledges a contact.
  void acknowledge() noexcept { acknowledgement_.fetch_add(1, std::memory_order_relaxed); }
  /// Deactivates; from here to restart() nothing activates. One operation, so that no cycle sees a
  /// changed command that is still active: it would count as an activation and end a latched stop.
  void end() noexcept;
  void restart() noexcept { command_.fetch_and(~kEnded); }
  [[nodiscard]] bool ended() const noexcept { return (command_.load() & kEnded) != 0; }
  [[nodiscard]] bool active() const noexcept { return is_active(command_.load()) && !suspended(); }
  /// Whether a cycle has served the last deactivation and the torque is zero.
  [[nodiscard]] bool idle() const noexcept;
  /// A torque of this time (ControlOutput::time) has left the process.
  void note_sent(std::int64_t time) noexcept { last_sent_.store(time, std::memory_order_relaxed); }

  // ---- results

  [[nodiscard]] Exchange<Robot>& robots() noexcept { return robots_; }
  [[nodiscard]] const Exchange<Robot>& robots() const noexcept { return robots_; }
  [[nodiscard]] ActivationGate& gate() noexcept { return gate_; }
  [[nodiscard]] const ActivationGate& gate() const noexcept { return gate_; }
  [[nodiscard]] Trigger trigger() const noexcept { return trigger_; }
  /// Whether cycles are not those of the loop's thread.
  [[nodiscard]] bool direct() const noexcept { return trigger_ != Trigger::kTimer; }
  [[nodiscard]] Phase phase() const noexcept { return phase_.load(); }
  /// All faults since the last call of take_faults(), which begins anew with the present ones.
  [[nodiscard]] Faults faults() const noexcept { return faults_seen_.load(); }
  /// Of the last cycle.
  [[nodiscard]] Faults present_faults() const noexcept { return faults_.load(); }
  // One operation, so that no fault is lost between reading and resetting.
  Faults take_faults() noexcept { return faults_seen_.exchange(faults_.load()); }
  /// The scalar coordinate whose state is the oldest; the base: -1, or past the last one.
  [[nodiscard]] std::int64_t stalest() const noexcept { return stalest_.load(); }
  /// The scalar coordinate that felt a contact; -1: none.
  [[nodiscard]] std::int64_t contact() const noexcept { return contact_.load(); }
  /// The scalar coordinate that the envelope limited most when it last did, for kStopReached,
  /// kSpeedCap or kPowerCap; -1: none.
  [[nodiscard]] std::int64_t limited(Fault reason) const noexcept {
    return reason == Fault::kStopReached ? limited_stop_.load()
           : reason == Fault::kSpeedCap  ? limited_speed_.load()
                                         : limited_power_.load();
  }
  [[nodiscard]] bool effort_was_measured() const noexcept { return effort_was_measured_.load(); }
  [[nodiscard]] bool waits_at_gate() const noexcept { return waits_at_gate_.load(); }
  /// Torques that a newer one replaced before the publisher fetched them: it was late.
  [[nodiscard]] std::uint64_t torques_replaced() const noexcept { return torques_replaced_.load(); }
  /// If direct(). `skipped` counts states that arrived faster than rate_hz.
  [[nodiscard]] const LoopStatistics& direct_statistics() const noexcept {
    return direct_statistics_;
  }
  /// See DynamicsCore.
  [[nodiscard]] const Histogram& latency() const noexcept { return latency_; }
  [[nodiscard]] const Histogram& state_wait() const noexcept { return state_wait_; }
  [[nodiscard]] const Histogram& state_age() const noexcept { return state_age_; }

 private:
  /// Odd while active. Every activation and deactivation changes it. kEnded: no more activations.
  using Command = std::uint64_t;
  static constexpr Command kEnded = Command{1} << 63U;
  static constexpr bool is_active(Command command) noexcept { return command % 2 != 0; }

  [[nodiscard]] bool watchdog_steps(std::int64_t now) const noexcept;
  /// Returns the output of the step; null without a robot.
  const ControlOutput* step(std::int64_t now) noexcept;
  [[nodiscard]] bool was_paused(std::int64_t now) const noexcept;
  [[nodiscard]] bool passes_gate(const Robot& robot, std::int64_t now, bool active) noexcept;
  void note_driving(std::int64_t now, bool active, const ControlOutput& out) noexcept;
  void note_step(std::int64_t now, std::int64_t begun, const ControlOutput& out) noexcept;
  [[nodiscard]] Faults check_sending(std::int64_t now, bool send) noexcept;
  /// False while the current robot must first come to a torque of zero.
  bool adopt_next(std::int64_t now, Command command) noexcept;
  [[nodiscard]] ControlView with_acknowledgement(ControlView view) const noexcept;
  /// Writes into the robot's output slot, which is not published yet.
  ControlOutput& step_controller(Robot& robot, std::int64_t now, bool run,
                                 Command command) noexcept;

  Trigger trigger_;
  Exchange<Robot> robots_;
  ActivationGate gate_;

  // of the thread that runs a cycle
  std::atomic_flag stepping_ = ATOMIC_FLAG_INIT;
  std::int64_t last_step_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::int64_t sending_since_ =
      0;                  // torques are sent in every cycle since then; 0: not in the last
  bool driving_ = false;  // has sent a torque since it was last inactive or stopped
  std::int64_t driving_since_ = 0;
  bool yielding_ = false;         // ramps to zero, because another node drives or may drive
  bool states_fresh_ = false;     // in the last step
  CallerInput* input_ = nullptr;  // of the cycle under way, with Trigger::kCaller
  std::int64_t stamp_ = 0;        // of its states
  std::int64_t suspended_at_ = INT64_MIN / 2;
  LoopStatistics direct_statistics_;
  Histogram latency_, state_wait_, state_age_;

  // between the threads
  std::atomic<Command> command_{0};
  std::atomic<Command> served_{0};  // the newest command that a whole cycle has served
  std::atomic<bool> waits_at_gate_{false};
  std::atomic<bool> suspended_;  // by the caller, with Trigger::kCaller
  std::atomic<std::uint64_t> torques_replaced_{0};
  std::atomic<std::int64_t> shortest_step_{0};  // ns between two steps with trigger: state
  std::atomic<std::int64_t> period_{0};         // ns
  std::atomic<std::int64_t> state_timeout_{0};  // ns
  std::atomic<Phase> phase_{Phase::kInactive};
  std::atomic<Faults> faults_{0};
  std::atomic<Faults> faults_seen_{0};  // since take_faults()
  std::atomic<std::int64_t> stalest_{-1};
  std::atomic<std::int64_t> contact_{-1};
  std::atomic<std::uint64_t> acknowledgement_{0};
  std::atomic<std::int64_t> limited_stop_{-1}, limited_speed_{-1}, limited_power_{-1};
  std::atomic<bool> effort_was_measured_{false};
  std::atomic<std::int64_t> last_sent_{0};  // time of the newest step whose torque left the process
};

}  // namespace spatial_dynamics
