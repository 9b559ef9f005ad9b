#include "spatial_dynamics/runtime/engine.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kSecond = 1e9;           // ns
constexpr double kLongestWindDown = 0.3;  // s: whoever ends the node does not wait for longer
constexpr double kLongestStep =
    0.1;  // s: after a pause of the process, ramps and filters move by no more than this

bool older_than(std::int64_t now, std::int64_t received, double timeout_s) noexcept {
  return static_cast<double>(now - received) > timeout_s * kSecond;
}

}  // namespace

Engine::Engine(Model model)
    : model_(std::move(model)),
      data_(model_),
      coordinates_(scalar_coordinates(model_)),
      floating_base_(has_floating_base(model_)),
      tracker_(coordinates_),
      observer_(model_),
      wrenches_(model_),
      configured_gravity_(model_.gravity()) {
  const VectorXd zero = VectorXd::Zero(model_.nv());
  computed_ = sent_ = from_ = wanted_ = a_command_ = v_coulomb_ = feed_forward_ = hardware_ =
      effort_ = zero;
  held_q_ = neutral_configuration(model_);
  const auto links = static_cast<std::size_t>(model_.link_count());
  payload_from_.assign(links, Inertia::Zero());
  payload_to_ = payload_now_ = payload_from_;
}

EngineOutputs Engine::make_outputs() const {
  const VectorXd zero = VectorXd::Zero(model_.nv());
  EngineOutputs out;
  out.q = neutral_configuration(model_);
  out.v = out.torque = out.acceleration = out.external_torque = zero;
  out.terms = {zero, zero, zero, zero, zero};
  out.position_error = VectorXd::Zero(static_cast<Index>(coordinates_.size()));
  out.mass_matrix = MatrixXd::Zero(model_.nv(), model_.nv());
  return out;
}

JointStates Engine::make_states() const {
  JointStates states;
  states.q = neutral_configuration(model_);
  states.v = states.effort = VectorXd::Zero(model_.nv());
  states.received.assign(coordinates_.size(), 0);
  states.has_effort.assign(coordinates_.size(), 0);
  return states;
}

References Engine::make_references() const {
  References references;
  references.joints.resize(coordinates_.size());
  return references;
}

EffortCommand Engine::make_effort_command() const {
  return {VectorXd::Zero(model_.nv()), std::vector<std::int64_t>(coordinates_.size(), 0)};
}

void Engine::continue_from(const Engine& other) noexcept {
  cycle_ = other.cycle_;
  last_time_ = other.last_time_;
  phase_ = other.phase_;
  phase_since_ = other.phase_since_;
  gravity_over_ = other.gravity_over_;
  following_ = false;
  mode_ = other.mode_;
  by_hardware_ = other.by_hardware_;
  first_running_cycle_ = other.first_running_cycle_;
  non_finite_ = other.non_finite_;
  resets_seen_ = other.resets_seen_;
  computed_ = other.computed_;
  held_q_ = other.held_q_;
  sent_ = other.sent_;
  tracker_.continue_from(other.tracker_);
  begin_fade();
}

void Engine::step(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept {
  const double period_s = 1.0 / in.settings.config.rate_hz;
  const double gap_s = last_time_ == 0 ? period_s : static_cast<double>(now - last_time_) / kSecond;
  dt_s_ = std::clamp(gap_s, 0.0, std::max(kLongestStep, period_s));
  last_time_ = now;
  // The process itself stood still: as if states had been away. Nobody wants to be where the reference has gone meanwhile.
  const bool outage = gap_s > std::max(in.settings.config.state_timeout_s, 5.0 * period_s);
  out.cycle = ++cycle_;
  out.time = now;
  out.faults = 0;
  out.send_torque = false;
  out.send_acceleration = false;
  apply_gravity(in);
  apply_payloads(now, in);
  apply_wrenches(now, in);

  const Freshness states = note_states(now, in, out);
  const bool was_running = phase_ == Phase::kRunning;
  choose_phase(now, in, states);
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
  enter(Phase::kRunning, now);
  first_running_cycle_ = cycle_;
  tracker_.restart(in.references, in.states.q);
  observer_.reset();
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
      non_finite_ = false;
      sent_.setZero();
      computed_.setZero();
      enter(Phase::kWaiting, now);
      [[fallthrough]];
    case Phase::kWaiting:
      if (!states.fresh) break;
      enter_running(now, in);
      fade_ = 1.0;  // the whole torque at once
      break;
    case Phase::kWindingDown:  // activated again before the ramp's end
    case Phase::kFallback:
      if (!healthy) {
        enter(Phase::kFallback, now);
      } else if (waits_for_reference(in.settings.config)) {
        tracker_.update(now, in.settings.config.reference_timeout_s, in.references, in.states.q,
                        in.states.v);
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
  fade_ = ramp_s > 0.0 ? std::min(1.0, fade_ + dt_s_ / ramp_s) : 1.0;
  for (Index k = 0; k < model_.nv(); ++k) {
    const double limit = settings.joints.effort_limit(k);
    const double rate = settings.joints.torque_rate_limit(k);
    const double change = std::isfinite(rate) ? rate * dt_s_ : rate;  // not infinity times zero
    const double wanted = fade_ < 1.0 ? (1.0 - fade_) * from_(k) + fade_ * target(k) : target(k);
    const double within = std::clamp(wanted, -limit, limit);
    if (within != wanted) out.faults |= static_cast<Faults>(Fault::kSaturated);
    const double slow = std::clamp(within, sent_(k) - change, sent_(k) + change);
    if (slow != within) out.faults |= static_cast<Faults>(Fault::kRateLimited);
    sent_(k) = std::clamp(slow, -limit, limit);  // a limit that was lowered holds at once
  }
  out.torque = sent_;
  out.send_torque = true;
}

/// Another mode, or another share of the work done by the hardware, is no more a step than a change of phase.
void Engine::notice_changes(const EngineInputs& in) noexcept {
  const Config& config = in.settings.config;
  const HardwareCompensation& hardware = config.compensated_by_hardware;
  const bool other_mode = config.torque_mode != mode_;
  const bool other_hardware = hardware.gravity != by_hardware_.gravity ||
                              hardware.coriolis != by_hardware_.coriolis ||
                              hardware.friction != by_hardware_.friction;
  mode_ = config.torque_mode;
  by_hardware_ = hardware;
  if (cycle_ == first_running_cycle_) return;
  if (other_mode) tracker_.restart(in.references, in.states.q);
  if (other_mode || other_hardware) begin_fade();
}

void Engine::run(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  notice_changes(in);
  tracker_.update(now, config.reference_timeout_s, in.references, in.states.q, in.states.v);
  if (tracker_.timed_out()) out.faults |= static_cast<Faults>(Fault::kStaleReference);
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
  wanted_.setZero();
  if (config.fallback == Fallback::kGravityOnly && !gravity_over_) {
    const bool over = older_than(now, phase_since_, config.gravity_only_s);
    if (!over && !config.compensated_by_hardware.gravity) {
      wanted_ = gravity_torque(model_, data_, held_q_);
    }
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
  following_ = following_ && states.fresh && !non_finite_;
  if (following_) {
    // The robot still moves: let the torque that is faded out follow it.
    from_ -= computed_;
    tracker_.update(now, in.settings.config.reference_timeout_s, in.references, in.states.q,
                    in.states.v);
    if (!compute_torque(in, out)) non_finite_ = true;  // computed_ keeps the last good one
    from_ += computed_;
  }
  wanted_.setZero();
  send_torque(in.settings, wanted_, std::min(in.settings.config.ramp_s, kLongestWindDown), out);
  if (sent_.isZero(0.0)) enter(Phase::kInactive, now);  // and this zero is the last sample
}

}  // namespace spatial_dynamics
