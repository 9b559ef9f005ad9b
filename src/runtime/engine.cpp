#include "spatial_dynamics/runtime/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kLongestWindDown = 0.3;  // s: whoever ends the node does not wait for longer
constexpr double kLongestStep =
    0.1;  // s: after a pause of the process, ramps and filters move by no more than this

bool older_than(std::int64_t now, std::int64_t received, double timeout_s) noexcept {
  return to_seconds(now - received) > timeout_s;
}

/// In these phases a torque goes out, and must not step.
bool sends(Phase phase) noexcept {
  return phase == Phase::kRunning || phase == Phase::kFallback || phase == Phase::kWindingDown;
}

}  // namespace

void Engine::step(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept {
  const double period_s = 1.0 / in.settings.config.rate_hz;
  const double gap_s = last_time_ == 0 ? period_s : to_seconds(now - last_time_);
  dt_s_ = std::clamp(gap_s, 0.0, std::max(kLongestStep, period_s));
  last_time_ = now;
  // The process itself stood still: as if states had been away. Nobody wants to be where the reference has gone meanwhile.
  const bool outage = gap_s > std::max(in.settings.config.state_timeout_s, 5.0 * period_s);
  out.cycle = ++cycle_;
  out.time = now;
  out.faults = 0;
  out.send_torque = false;
  out.send_acceleration = false;
  out.send_terms = false;
  out.send_external_torque = false;
  const bool took_over = std::exchange(new_, false);
  const bool at_once = took_over || !sends(phase_);
  apply_settings(in.settings, at_once);
  apply_gravity(in, at_once);
  apply_payloads(in, at_once);
  if (!compiled_) compact_.update(model_);
  compiled_ = true;
  apply_wrenches(now, in, at_once);

  const Freshness states = note_states(now, in, out);
  const bool was_running = phase_ == Phase::kRunning;
  choose_phase(now, in, states);
  if (took_over) following_ = false;  // computed_ is another model's
  if (outage && was_running && phase_ == Phase::kRunning) {
    tracker_.restart(in.references, in.states.q);
    observer_.reset();
    begin_fade();
  }
  if (phase_ == Phase::kRunning) run(now, in, out);
  if (phase_ == Phase::kFallback) fall_back(now, in, out);  // run() may have ended there
  if (phase_ == Phase::kWindingDown) wind_down(now, in, states, out);
  if (non_finite_) out.faults |= static_cast<Faults>(Fault::kNonFinite);
  out.phase = phase_;
  out.ramp = fade_;
}

Engine::Freshness Engine::note_states(std::int64_t now, const EngineInputs& in,
                                      EngineOutputs& out) noexcept {
  const JointStates& states = in.states;
  Freshness result{true, true};
  std::int64_t oldest = now;
  out.stalest = kNoIndex;
  const auto note = [&](std::int64_t received, Index coordinate) {
    if (received == 0) result.known = false;
    if (received < oldest) {
      oldest = received;
      out.stalest = coordinate;
    }
  };
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    note(states.received[k], static_cast<Index>(k));
  }
  if (floating_base_) note(states.base_received, kNoIndex);
  result.fresh = result.known && !older_than(now, oldest, in.settings.config.state_timeout_s);
  out.state_age = now - oldest;
  out.stamp = states.stamp;
  out.state_sequence = states.sequence;
  out.state_received = states.newest;
  if (result.known && !result.fresh) out.faults |= static_cast<Faults>(Fault::kStaleState);
  if (states.resets != resets_seen_) {
    resets_seen_ = states.resets;
    observer_.reset();
  }
  return result;
}

void Engine::begin_fade() noexcept {
  from_ = sent_;
  fade_ = 0.0;
}

void Engine::enter(Phase phase, std::int64_t now) noexcept {
  if (phase == phase_) return;
  following_ = phase_ == Phase::kRunning;
  phase_ = phase;
  phase_since_ = now;
  gravity_over_ = false;
  begin_fade();
}

void Engine::enter_running(std::int64_t now, const EngineInputs& in) noexcept {
  if (phase_ == Phase::kWaiting) {  // what came in meanwhile has waited with us
    tracker_.restart_since(phase_since_, in.references, in.states.q);
  } else {
    tracker_.restart(in.references, in.states.q);
  }
  enter(Phase::kRunning, now);
  first_running_cycle_ = cycle_;
  observer_.reset();
}

void Engine::track(std::int64_t now, const EngineInputs& in) noexcept {
  const Config& config = in.settings.config;
  const bool holds = config.torque_mode == TorqueMode::kComputedTorque;
  tracker_.update(now, config.reference_timeout_s, config.ramp_s, in.references, in.states.q,
                  in.states.v, holds);
}

void Engine::choose_phase(std::int64_t now, const EngineInputs& in,
                          const Freshness& states) noexcept {
  if (!in.active) {
    if (phase_ == Phase::kWaiting || phase_ == Phase::kStopped) enter(Phase::kInactive, now);
    if (phase_ == Phase::kRunning || phase_ == Phase::kFallback) enter(Phase::kWindingDown, now);
    return;
  }
  const bool healthy = states.fresh && !non_finite_;
  switch (phase_) {
    case Phase::kInactive:
      non_finite_ = was_cut_ = false;
      sent_.setZero();
      computed_.setZero();
      enter(Phase::kWaiting, now);
      [[fallthrough]];
    case Phase::kWaiting:
      if (!states.fresh) break;
      enter_running(now, in);
      fade_ = 1.0;           // no ramp from zero: the arm would drop
      kp_.jump(data_.zero);  // but nobody knows how far off the reference is
      kd_.jump(data_.zero);
      break;
    case Phase::kWindingDown:  // activated again before the ramp's end
    case Phase::kFallback:
      if (!healthy) {
        enter(Phase::kFallback, now);
      } else if (waits_for_reference(in.settings.config)) {
        track(now, in);
        if (!tracker_.timed_out()) {  // a new reference has come
          enter(Phase::kRunning, now);
          tracker_.hold_rest(in.states.q);
        }
      } else {
        enter_running(now, in);
      }
      break;
    case Phase::kRunning:
      if (!healthy) enter(Phase::kFallback, now);
      break;
    case Phase::kStopped:
      break;
  }
}

bool Engine::waits_for_reference(const Config& config) const noexcept {
  return config.on_reference_timeout == ReferenceTimeout::kFallback && tracker_.timed_out();
}

void Engine::send_torque(const Settings& settings, VectorIn target, double ramp_s,
                         EngineOutputs& out) noexcept {
  notice_limits(settings.joints);
  fade_ = ramp_s > 0.0 ? std::min(1.0, fade_ + dt_s_ / ramp_s) : 1.0;
  for (Index k = 0; k < model_.nv(); ++k) {
    const double limit = settings.joints.effort_limit(k);
    const double rate = settings.joints.torque_rate_limit(k);
    const double change = std::isfinite(rate) ? rate * dt_s_ : rate;  // not infinity times zero
    double wanted = fade_ < 1.0 ? (1.0 - fade_) * from_(k) + fade_ * target(k) : target(k);
    if (!std::isfinite(wanted)) {  // clamp lets a NaN pass, and without a limit infinity too
      non_finite_ = true;
      wanted = from_(k) = sent_(k);
    }
    const double within = std::clamp(wanted, -limit, limit);
    if (within != wanted) out.faults |= static_cast<Faults>(Fault::kSaturated);
    const double slow = std::clamp(within, sent_(k) - change, sent_(k) + change);
    if (slow != within) out.faults |= static_cast<Faults>(Fault::kRateLimited);
    sent_(k) = std::clamp(slow, -limit, limit);  // a limit that was lowered holds at once
  }
  was_cut_ = has(out.faults, Fault::kSaturated) || has(out.faults, Fault::kRateLimited);
  out.torque = sent_;
  out.send_torque = true;
}

/// Another mode is no more a step than a change of phase.
void Engine::notice_mode(const EngineInputs& in) noexcept {
  const TorqueMode mode = in.settings.config.torque_mode;
  const bool changed = mode != mode_ && cycle_ != first_running_cycle_;
  mode_ = mode;
  if (!changed) return;
  tracker_.restart(in.references, in.states.q);
  begin_fade();
}

/// A limit that is raised lets go of a torque that it had cut.
void Engine::notice_limits(const JointSettings& joints) noexcept {
  const bool raised = (joints.effort_limit.array() > effort_limit_.array()).any() ||
                      (joints.torque_rate_limit.array() > rate_limit_.array()).any();
  effort_limit_ = joints.effort_limit;
  rate_limit_ = joints.torque_rate_limit;
  if (raised && was_cut_) begin_fade();
}

void Engine::run(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  notice_mode(in);
  track(now, in);
  if (tracker_.timed_out()) out.faults |= static_cast<Faults>(Fault::kStaleReference);
  if (wrench_is_stale_) out.faults |= static_cast<Faults>(Fault::kStaleWrench);
  if (waits_for_reference(config)) return enter(Phase::kFallback, now);
  if (!compute_torque(in, out)) {
    non_finite_ = true;
    return enter(Phase::kFallback, now);
  }
  send_torque(in.settings, computed_, config.ramp_s, out);
  compute_acceleration(now, in, out);
  observe(in, out);
}

void Engine::fall_back(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  if (waits_for_reference(config)) out.faults |= static_cast<Faults>(Fault::kStaleReference);
  if (!has(out.faults, Fault::kStaleState)) held_q_ = in.states.q;
  if (config.fallback != fallback_) begin_fade();  // another one was chosen meanwhile
  fallback_ = config.fallback;
  wanted_.setZero();
  if (config.fallback == Fallback::kGravityOnly && !gravity_over_) {
    const bool over = older_than(now, phase_since_, config.gravity_only_s);
    if (!over) wanted_ = our_gravity() * gravity_torque(compact_, work_, held_q_);
    gravity_over_ = over || !wanted_.allFinite();
    if (gravity_over_) {
      wanted_.setZero();
      begin_fade();
    }
  }
  send_torque(in.settings, wanted_, config.ramp_s, out);
  if (config.fallback == Fallback::kStop && sent_.isZero(0.0)) enter(Phase::kStopped, now);
}

void Engine::wind_down(std::int64_t now, const EngineInputs& in, const Freshness& states,
                       EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  following_ = following_ && states.fresh && !non_finite_ && config.torque_mode == mode_;
  if (following_) {
    // The robot still moves: let the torque that is faded out follow it. Commands are no longer obeyed.
    from_ -= computed_;
    tracker_.come_to_rest(now, config.ramp_s);
    if (!compute_torque(in, out)) non_finite_ = true;  // computed_ keeps the last good one
    from_ += computed_;
  }
  wanted_.setZero();
  send_torque(in.settings, wanted_, std::min(config.ramp_s, kLongestWindDown), out);
  if (sent_.isZero(0.0)) enter(Phase::kInactive, now);  // and this zero is the last sample
}

}  // namespace spatial_dynamics
