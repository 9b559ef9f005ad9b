#include "runtime/torque_cycle.hpp"

#include <algorithm>
#include <thread>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::int64_t kLongestWrite = 100'000'000;  // ns: a torque that takes longer is reported

/// Keeps other threads from stepping the controller. Waits by yielding: a thread has the flag for
/// microseconds. The loop itself never waits for it.
class StepGuard {
 public:
  explicit StepGuard(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~StepGuard() { flag_.clear(std::memory_order_release); }
  StepGuard(const StepGuard&) = delete;
  StepGuard& operator=(const StepGuard&) = delete;

 private:
  std::atomic_flag& flag_;
};

/// In these phases nothing is sent: the last torque was zero.
bool is_silent(Phase phase) noexcept {
  return phase == Phase::kInactive || phase == Phase::kWaiting || phase == Phase::kStopped;
}

}  // namespace

void TorqueCycle::set_config(const Config& config) noexcept {
  // A tenth of tolerance: states that come at the rate itself, with some jitter, are all served.
  shortest_step_.store(static_cast<std::int64_t>(0.9e9 / config.rate_hz));
  period_.store(static_cast<std::int64_t>(1e9 / config.rate_hz));
  state_timeout_.store(static_cast<std::int64_t>(1e9 * config.state_timeout_s));
}

void TorqueCycle::activate() noexcept {
  Command command = command_.load();
  while ((command & kEnded) == 0 &&
         !command_.compare_exchange_weak(command, command + (is_active(command) ? 2 : 1))) {
  }
}

void TorqueCycle::deactivate() noexcept {
  Command command = command_.load();
  while (is_active(command) && !command_.compare_exchange_weak(command, command + 1)) {
  }
}

void TorqueCycle::end() noexcept {
  Command command = command_.load();
  while (
      !command_.compare_exchange_weak(command, (command + (is_active(command) ? 1 : 0)) | kEnded)) {
  }
}

bool TorqueCycle::idle() const noexcept {
  if (suspended()) return true;
  const Command command = command_.load();
  return !is_active(command) && served_.load(std::memory_order_acquire) == command &&
         phase_.load() == Phase::kInactive;
}

bool TorqueCycle::adopt_next(std::int64_t now, Command command) noexcept {
  Robot* const next = robots_.next();
  if (next == nullptr) return true;
  if (Robot* const current = robots_.current()) {
    const Phase phase = current->controller.phase();
    const bool silent = is_silent(phase);
    const bool same = next->controller.coordinates().same_as(current->controller.coordinates());
    if (!silent && !same) return false;
    // The next one ramps from the old one's torque at the same state: the difference is then that
    // of the two models, and no noise of one state is kept for the whole ramp.
    if (phase == Phase::kRunning) {
      const bool run = passes_gate(*current, now, is_active(command));
      const ControlOutput& out = step_controller(*current, now, run, command);
      // A ramp may end within this step. The next one is then silent, so the old one sends the
      // zero.
      if (out.send_torque && is_silent(current->controller.phase())) current->outputs.publish();
    }
    next->controller.continue_from(current->controller);
  }
  robots_.adopt();
  return true;
}

/// Whether the process has stood still (SIGSTOP), so that others saw no torque for kRecent.
bool TorqueCycle::was_paused(std::int64_t now) const noexcept {
  // With `trigger: state`, steps may be as far apart as the watchdog permits.
  const std::int64_t usual = 2 * shortest_step_.load() + (direct() ? state_timeout_.load() : 0);
  return now - last_step_ >= ActivationGate::kRecent + usual;
}

/// Asks the gate before the first torque and after a pause, and, while torques are sent, whether to
/// yield.
bool TorqueCycle::passes_gate(const Robot& robot, std::int64_t now, bool active) noexcept {
  bool passed = active;
  if (active && robot.settings.read().config.yield_to_active_node) {
    if (driving_ && was_paused(now)) {
      gate_.look_around(now);
      yielding_ = true;
    }
    if (driving_ && !yielding_) yielding_ = gate_.yields(now, driving_since_);
    if (yielding_ && gate_.open(now, states_fresh_)) {  // no other sends
      yielding_ = false;
      driving_since_ = now;
    }
    passed = driving_ ? !yielding_ : gate_.open(now, states_fresh_);
  }
  waits_at_gate_.store(active && !passed, std::memory_order_relaxed);
  return passed;
}

ControlView TorqueCycle::with_acknowledgement(ControlView view) const noexcept {
  view.acknowledgement = acknowledgement_.load(std::memory_order_relaxed);
  return view;
}

ControlOutput& TorqueCycle::step_controller(Robot& robot, std::int64_t now, bool run,
                                            Command command) noexcept {
  robot.inbox.update();
  robot.settings.update();
  ControlOutput& out = robot.outputs.write_slot();
  const Settings& settings = robot.settings.read();
  if (input_ == nullptr) {
    robot.controller.step(now, with_acknowledgement(robot.inbox.inputs(settings, run, command)),
                          out);
    return out;
  }
  const JointStates& states = input_->update(now, stamp_, settings.config, robot.inbox.states());
  const References& references = input_->references(robot.inbox.references());
  if (input_->take_clipped()) robot.inbox.note_clipped_reference();
  robot.controller.step(
      now, with_acknowledgement(robot.inbox.inputs(settings, run, command, states, references)),
      out);
  return out;
}

const ControlOutput* TorqueCycle::step(std::int64_t now) noexcept {
  const Command command = command_.load(std::memory_order_acquire);
  const bool stays = adopt_next(now, command);
  Robot* const current = robots_.current();
  if (current == nullptr) {
    served_.store(command, std::memory_order_release);
    return nullptr;
  }
  const std::int64_t begun = direct() ? steady_now_ns() : now;
  Robot& robot = *current;
  const bool active = is_active(command);
  const bool run = passes_gate(robot, now, active) && stays;
  ControlOutput& out = step_controller(robot, now, run, command);
  // A caller sends the torque itself.
  if (trigger_ != Trigger::kCaller) out.faults |= check_sending(now, out.send_torque);
  last_step_ = now;
  note_driving(now, active, out);
  states_fresh_ = to_seconds(out.state_age) <= robot.settings.read().config.state_timeout_s;
  note_step(now, begun, out);
  // Only what is sent goes into the box, so that a later, silent cycle never hides the last zero.
  if ((out.send_torque || out.send_acceleration) && robot.outputs.publish() &&
      robot.outputs.write_slot().send_torque) {
    torques_replaced_.fetch_add(1, std::memory_order_relaxed);
  }
  // After the torque of this cycle is in its box: who waits for the end of torques waits for it,
  // too.
  served_.store(command, std::memory_order_release);
  return &out;
}

const ControlOutput* TorqueCycle::step_for_caller(std::int64_t now, std::int64_t stamp,
                                                  CallerInput& input) noexcept {
  input_ = &input;
  stamp_ = stamp;
  return step(now);
}

void TorqueCycle::suspend(std::int64_t now) noexcept {
  suspended_at_ = now;
  suspended_.store(true);
  phase_.store(Phase::kInactive);
}

bool TorqueCycle::resume(std::int64_t now, bool same_switch) noexcept {
  constexpr std::int64_t kPeriods = 5, kLongestSwitch = kNanosecondsPerSecond / 10;
  const std::int64_t longest =
      std::max(kPeriods * period_.load(), same_switch ? kLongestSwitch : std::int64_t{0});
  const bool continues = now - suspended_at_ <= longest;
  Robot* const robot = robots_.current();
  // Otherwise the command stays the same: a new number would end a latched stop.
  if (!continues && !same_switch) deactivate();
  if (robot != nullptr && !continues) {
    robot->controller.interrupt(now);
    driving_ = yielding_ = false;
  }
  if (robot != nullptr) phase_.store(robot->controller.phase());
  suspended_.store(false);
  return continues;
}

void TorqueCycle::note_driving(std::int64_t now, bool active, const ControlOutput& out) noexcept {
  const bool ended =
      out.phase == Phase::kStopped || (out.phase == Phase::kInactive && (!active || yielding_));
  if (!driving_ && out.send_torque) driving_since_ = now;
  driving_ = (driving_ || out.send_torque) && !ended;
  if (!driving_) yielding_ = false;
}

/// Torques that are sent in every cycle must leave the process: kNotSent when none has for 0.1 s
/// (or ten periods).
Faults TorqueCycle::check_sending(std::int64_t now, bool send) noexcept {
  const std::int64_t longest = std::max(kLongestWrite, 10 * shortest_step_.load());
  // The process itself stood still, or states come slowly; a torque from before that is still not
  // sent counts on.
  const bool paused = now - last_step_ > longest && last_sent_.load() >= last_step_;
  if (!send || paused) sending_since_ = 0;
  if (!send) return 0;
  if (sending_since_ == 0) sending_since_ = now;
  const std::int64_t since = std::max(sending_since_, last_sent_.load(std::memory_order_relaxed));
  return now - since > longest ? static_cast<Faults>(Fault::kNotSent) : 0;
}

void TorqueCycle::note_step(std::int64_t now, std::int64_t begun,
                            const ControlOutput& out) noexcept {
  phase_.store(out.phase, std::memory_order_relaxed);
  faults_.store(out.faults, std::memory_order_relaxed);
  const LimitedCoordinates& limited = out.limited;
  if (limited.stop >= 0) limited_stop_.store(limited.stop, std::memory_order_relaxed);
  if (limited.speed >= 0) limited_speed_.store(limited.speed, std::memory_order_relaxed);
  if (limited.power >= 0) limited_power_.store(limited.power, std::memory_order_relaxed);
  faults_seen_.fetch_or(out.faults, std::memory_order_relaxed);
  contact_.store(out.contact, std::memory_order_relaxed);
  stalest_.store(out.stalest, std::memory_order_relaxed);
  effort_was_measured_.store(out.effort_was_measured, std::memory_order_relaxed);
  const std::int64_t finished = steady_now_ns();
  if (direct()) {
    direct_statistics_.wakeup_jitter.record(begun - now);
    direct_statistics_.compute_time.record(finished - begun);
    direct_statistics_.cycles.fetch_add(1, std::memory_order_relaxed);
  }
  if (out.phase != Phase::kRunning) return;
  state_age_.record(out.state_age);
  if (out.state_sequence == last_sequence_) return;
  latency_.record(finished - out.state_received);
  state_wait_.record(now - out.state_received);
  last_sequence_ = out.state_sequence;
}

/// With `trigger: state` the loop is the watchdog. It steps when states have stopped for
/// state_timeout_s, so that staleness is noticed within one period, as with the timer; and while no
/// mode runs, because ramps and exchanges need no state.
bool TorqueCycle::watchdog_steps(std::int64_t now) const noexcept {
  const std::int64_t silence = now - last_step_;
  if (phase_.load() != Phase::kRunning || served_.load() != command_.load()) {
    return silence >= shortest_step_.load();
  }
  return silence > state_timeout_.load();
}

bool TorqueCycle::tick(std::int64_t now) noexcept {
  // Set only with trigger: state, by a thread that delivers a state.
  if (stepping_.test_and_set(std::memory_order_acquire)) return false;
  const bool steps = !direct() || watchdog_steps(now);
  if (steps) step(now);
  stepping_.clear(std::memory_order_release);
  return steps;
}

bool TorqueCycle::step_directly(std::int64_t now) noexcept {
  const StepGuard no_other_step(stepping_);
  if (now - last_step_ < shortest_step_.load()) {
    direct_statistics_.skipped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  step(now);
  return true;
}

}  // namespace spatial_dynamics
