#include "control_cycle.hpp"

#include <algorithm>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kLongestRampDown = 0.3;  // s: bounds the time to end the process
constexpr double kContactRamp = 0.03;     // s: longest crossfade to the reaction to a contact
constexpr double kLongestStep = 0.1;      // s: largest progress of a ramp after a pause

}  // namespace

ControlCycle::ControlCycle(Model model)
    : robot_(std::move(model)),
      coordinates_(robot_.model()),
      watchdog_(coordinates_.nv()),
      tracker_(coordinates_.scalars()),
      world_(robot_.model()),
      laws_(coordinates_.nv(), static_cast<Index>(coordinates_.size())),
      fallback_(neutral_configuration(robot_.model()), coordinates_.nv()),
      following_guard_(coordinates_.nq()),
      contact_(coordinates_),
      guard_(coordinates_.nv()),
      envelope_(robot_.model(), coordinates_),
      drive_(coordinates_.nv()),
      results_(robot_.model()),
      own_effort_(VectorXd::Zero(coordinates_.nv())) {}

void ControlCycle::continue_from(const ControlCycle& other) noexcept {
  phases_.continue_latched(other.phases_);
  contact_.continue_latched(other.contact_);
  if (!coordinates_.same_as(other.coordinates_)) return;
  phases_ = other.phases_;
  watchdog_ = other.watchdog_;
  tracker_.continue_from(other.tracker_);
  laws_.continue_from(other.laws_);
  fallback_ = other.fallback_;
  following_guard_ = other.following_guard_;
  contact_.continue_from(other.contact_);
  guard_ = other.guard_;
  envelope_.continue_from(other.envelope_);
  drive_ = other.drive_;
  cycle_ = other.cycle_;
  first_running_cycle_ = other.first_running_cycle_;
  last_time_ = other.last_time_;
  mode_ = other.mode_;
  follows_state_ = false;
  is_new_ = true;  // the crossfade prevents a step
  // A ramp to zero does not depend on the model. It continues, so that repeated replacements do not
  // make it longer.
  const bool falls = phases_.phase() == Phase::kFallback && fallback_.is_zero();
  if (falls || phases_.phase() == Phase::kRampingDown) return;
  if (phases_.phase() != Phase::kRunning) return guard_.begin_crossfade();
  guard_.begin_crossfade_before_limits();
  guard_.crossfade().move_with_target();
}

void ControlCycle::step(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept {
  const double period_s = 1.0 / in.settings.rate_hz;
  const double gap_s = last_time_ == 0 ? period_s : to_seconds(now - last_time_);
  dt_s_ = std::clamp(gap_s, 0.0, std::max(kLongestStep, period_s));
  last_time_ = now;
  begin(now, out);
  const bool replaces = std::exchange(is_new_, false);
  const auto ramp = RampStep::of(dt_s_, in.settings.ramp_s, replaces || !phases_.sends());
  laws_.update_settings(in.settings, in.joints, ramp, in.stiffness);
  world_.update(now, in, ramp, robot_);
  const bool was_fresh = watchdog_.fresh();
  watchdog_.update(now, in.states, coordinates_, in.settings.state_timeout_s, out);
  if (watchdog_.was_reset()) results_.reset_observer();

  const bool was_running = phases_.phase() == Phase::kRunning;
  choose_phase(now, in);
  if (replaces) follows_state_ = false;  // laws_.torque() is of the other model
  const bool outage = gap_s > std::max(in.settings.state_timeout_s, 5.0 * period_s);
  if (outage && was_running && phases_.phase() == Phase::kRunning) resume_after_outage(in);
  if (phases_.phase() == Phase::kRunning) run(now, in, out);
  if (phases_.phase() == Phase::kFallback) {  // also if run() has just failed
    // The robot may have moved meanwhile, and with it the gravity torque.
    const bool returned = watchdog_.fresh() && (outage || !was_fresh);
    if (returned && !fallback_.is_zero()) guard_.begin_crossfade();
    fall_back(now, in, out);
  }
  if (phases_.phase() == Phase::kRampingDown) ramp_down(now, in, out);
  if (phases_.non_finite()) out.faults |= static_cast<Faults>(Fault::kNonFinite);
  if (contact_.latched()) out.faults |= static_cast<Faults>(Fault::kContact);
  out.contact = contact_.joint();
  out.phase = phases_.phase();
  out.ramp = guard_.crossfade().progress();
}

void ControlCycle::begin(std::int64_t now, ControlStatus& status) noexcept {
  status.cycle = ++cycle_;
  status.time = now;
  status.faults = 0;
  status.send_torque = status.send_drive = status.send_acceleration = false;
  status.send_terms = status.send_external_torque = false;
  status.limited = {};
}

void ControlCycle::choose_phase(std::int64_t now, const ControlView& in) noexcept {
  note_acknowledgement(in, phases_.note_activation(in.active, in.activation, now));
  bool missing = false, new_reference = false;
  if (phases_.may_resume(watchdog_.fresh()) && waits_for_reference(in.settings)) {
    track(now, in);
    missing = tracker_.timed_out();
    new_reference = !missing;
  }
  const Phase before = phases_.phase();
  const std::int64_t since = before == Phase::kWaiting ? phases_.since() : now;
  const bool falls_back = contact_.latched(ContactReaction::kFallback);
  phases_.update(now, watchdog_.fresh(), missing || falls_back);
  if (falls_back && phases_.phase() == Phase::kRunning) phases_.fall_back(now);
  if (phases_.phase() == before) return;
  if (before == Phase::kInactive) {
    guard_.reset();
    drive_.reset();
    laws_.set_torque(robot_.zero());
  }
  note_phase_change(before);
  if (phases_.phase() != Phase::kRunning) return;
  if (new_reference) return tracker_.hold_rest(in.states.q);
  start_running(before == Phase::kInactive || before == Phase::kWaiting, since, in);
}

void ControlCycle::note_phase_change(Phase before) noexcept {
  follows_state_ = before == Phase::kRunning;
  fallback_.restart();
  guard_.begin_crossfade();
}

/// At activation: references received while the controller waited for states are followed; the
/// first torque is not ramped, because the arm would drop; feedback is ramped over ramp_s, because
/// the reference may be far away.
/// After a fallback: references received before are discarded, and the present position is held.
void ControlCycle::start_running(bool activated, std::int64_t since,
                                 const ControlView& in) noexcept {
  if (activated) {
    tracker_.restart_since(since, in.references, in.states.q);
    guard_.crossfade().finish();
    laws_.clear_gains();
  } else {
    tracker_.restart(in.references, in.states.q);
  }
  laws_.lock_anew();
  contact_.restart(in.states.q);
  guard_.expect_first_torque(activated);
  following_guard_.reset();
  first_running_cycle_ = cycle_;
  results_.reset_observer();
}

/// If the process paused for longer than state_timeout_s and 5 periods: discards references,
/// because they have progressed meanwhile, and holds the present position.
void ControlCycle::resume_after_outage(const ControlView& in) noexcept {
  tracker_.restart(in.references, in.states.q);
  laws_.lock_anew();
  contact_.restart(in.states.q);
  results_.reset_observer();
  guard_.begin_crossfade();
}

bool ControlCycle::waits_for_reference(const ControlSettings& settings) const noexcept {
  return settings.on_reference_timeout == ReferenceTimeout::kFallback && tracker_.timed_out();
}

/// A contact ends when it is acknowledged, or by an explicit activation: references that arrived
/// meanwhile are discarded, and the present position is held.
void ControlCycle::note_acknowledgement(const ControlView& in, bool activated) noexcept {
  const bool ends = contact_.acknowledge(in.acknowledgement) || (activated && contact_.release());
  if (!ends || phases_.phase() != Phase::kRunning) return;
  tracker_.restart(in.references, in.states.q);
  laws_.lock_anew();
  results_.reset_observer();
  guard_.begin_crossfade();
}

/// Detects contacts, except while a hand guides the robot. A contact discards all references.
void ControlCycle::note_contact(const ControlView& in, ControlOutput& out) noexcept {
  if (contact_.latched()) return;
  const bool checks = out.send_external_torque && mode_ != TorqueMode::kHandGuiding;
  const ContactReaction reaction = checks ? in.settings.contact.reaction : ContactReaction::kNone;
  if (!contact_.detect(reaction, in.joints.contact_threshold, out.external_torque, out.q, dt_s_)) {
    return;
  }
  tracker_.restart(in.references, out.q);
  following_guard_.reset();
  guard_.begin_crossfade();
}

/// The mode while a contact is latched: `float` guides, `hold` and `retreat` need a mode that holds
/// positions.
TorqueMode ControlCycle::mode_with_contact(TorqueMode mode) const noexcept {
  if (contact_.latched(ContactReaction::kFloat)) return TorqueMode::kHandGuiding;
  const bool positions =
      contact_.latched(ContactReaction::kHold) || contact_.latched(ContactReaction::kRetreat);
  if (!positions || mode == TorqueMode::kComputedTorque) return mode;
  return TorqueMode::kJointImpedance;
}

void ControlCycle::track(std::int64_t now, const ControlView& in) noexcept {
  if (contact_.latched()) {
    contact_.advance(dt_s_);
    const bool floats = contact_.reaction() == ContactReaction::kFloat;
    return tracker_.follow(now, floats ? in.states.q : contact_.position(),
                           floats ? robot_.zero() : contact_.velocity());
  }
  const TorqueMode mode = in.settings.torque_mode;
  const bool holds = mode == TorqueMode::kComputedTorque || mode == TorqueMode::kJointImpedance;
  tracker_.update(now, in.settings.reference_timeout_s, in.settings.ramp_s, in.references,
                  in.states.q, in.states.v, holds);
}

/// A change of mode starts a crossfade and discards references.
void ControlCycle::note_mode(const ControlView& in) noexcept {
  const TorqueMode before = std::exchange(mode_, mode_with_contact(in.settings.torque_mode));
  if (before == mode_ || cycle_ == first_running_cycle_) return;
  tracker_.restart(in.references, in.states.q);
  laws_.lock_anew();
  guard_.begin_crossfade();
}

/// Checks the following error. Only computed_torque follows positions.
void ControlCycle::guard_following_error(const ControlView& in, ControlOutput& out) noexcept {
  if (mode_ != TorqueMode::kComputedTorque || contact_.latched()) return following_guard_.reset();
  const bool begins = following_guard_.update(coordinates_, in.joints.following_error_limit,
                                              in.states.q, in.references, tracker_);
  if (begins) guard_.begin_crossfade();
  if (following_guard_.holds()) out.faults |= static_cast<Faults>(Fault::kFollowingError);
}

void ControlCycle::run(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept {
  note_mode(in);
  track(now, in);
  if (tracker_.timed_out()) out.faults |= static_cast<Faults>(Fault::kStaleReference);
  if (world_.wrench_is_stale()) out.faults |= static_cast<Faults>(Fault::kStaleWrench);
  if (waits_for_reference(in.settings)) {
    phases_.fall_back(now);
    return note_phase_change(Phase::kRunning);
  }
  guard_following_error(in, out);
  const bool moves = guard_.crossfade().moves_with_target() && follows_state_;
  if (moves) guard_.crossfade().subtract_from_start(laws_.torque());
  if (!compute_torque(in, out)) {
    phases_.latch_non_finite();
    phases_.fall_back(now);
    return note_phase_change(Phase::kRunning);
  }
  if (laws_.turned()) {
    guard_.begin_crossfade();
  } else if (moves) {
    guard_.crossfade().add_to_start(laws_.torque());
  }
  follows_state_ = true;
  const double ramp_s = in.settings.ramp_s;
  send(in, laws_.torque(), contact_.latched() ? std::min(ramp_s, kContactRamp) : ramp_s, out);

  const bool floating = coordinates_.floating_base();
  own_effort_ = guard_.sent() + laws_.hardware();
  results_.compute_acceleration(now, in, own_effort_, floating, world_.wrenches(), envelope_,
                                robot_, out);
  results_.observe(in, own_effort_, floating, dt_s_, robot_, out);
  note_contact(in, out);
}

bool ControlCycle::compute_torque(const ControlView& in, ControlOutput& out) noexcept {
  out.q = in.states.q;
  out.v = in.states.v;
  const bool finite =
      laws_.compute(mode_, coordinates_, tracker_, out.q, out.v, world_.wrenches(), robot_);
  out.position_error = laws_.position_error();
  if (!finite) return false;
  fallback_.set_position(out.q);
  results_.compute_terms(in.settings, mode_, laws_, world_.wrenches(), robot_, out);
  return true;
}

void ControlCycle::fall_back(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept {
  const ControlSettings& settings = in.settings;
  if (waits_for_reference(settings)) out.faults |= static_cast<Faults>(Fault::kStaleReference);
  if (watchdog_.fresh()) fallback_.set_position(in.states.q);
  if (settings.fallback == Fallback::kStop) phases_.latch_stop();
  const Fallback fallback = phases_.stops() ? Fallback::kStop : settings.fallback;
  const bool over = to_seconds(now - phases_.since()) > settings.gravity_only_s;
  if (fallback_.update(fallback, over, laws_.gravity_share(), robot_)) guard_.begin_crossfade();
  send(in, fallback_.torque(), settings.ramp_s, out);
  if (phases_.stops()) note_if_zero(now);
}

/// After deactivation the torque ramps to zero within min(ramp_s, 0.3 s), and the last torque sent
/// is zero. References are not followed. While states are fresh, the torque that ramps out is
/// computed from them.
void ControlCycle::ramp_down(std::int64_t now, const ControlView& in, ControlOutput& out) noexcept {
  const ControlSettings& settings = in.settings;
  follows_state_ = follows_state_ && watchdog_.fresh() && !phases_.non_finite() &&
                   mode_with_contact(settings.torque_mode) == mode_;
  if (follows_state_) {
    guard_.crossfade().subtract_from_start(laws_.torque());
    tracker_.come_to_rest(now, settings.ramp_s);
    if (!compute_torque(in, out)) phases_.latch_non_finite();  // the last good torque is kept
    guard_.crossfade().add_to_start(laws_.torque());
  }
  send(in, robot_.zero(), std::min(settings.ramp_s, kLongestRampDown), out);
  note_if_zero(now);
}

void ControlCycle::note_if_zero(std::int64_t now) noexcept {
  if (!guard_.at_zero() || drive_.drives()) return;
  const Phase before = phases_.phase();
  phases_.note_zero_torque(now);
  if (phases_.phase() != before) note_phase_change(before);
}

void ControlCycle::send(const ControlView& in, const VectorXd& torque, double ramp_s,
                        ControlOutput& out) noexcept {
  const bool ramps_down = phases_.phase() != Phase::kRunning;
  const double share = RampStep::of(dt_s_, ramp_s, false).share;
  if (envelope_.loosens(in.joints.envelope)) guard_.begin_crossfade();
  const Faults faults = guard_.limit(
      in.joints, torque, {dt_s_, share, ramps_down, watchdog_.velocity(), &envelope_.changed()});
  if (has(faults, Fault::kNonFinite)) phases_.latch_non_finite();
  out.faults |= faults;
  limit_to_envelope(in, out);
  out.torque = guard_.sent();
  out.send_torque = true;
  drive_.step(in.joints.drive_rejection.empty(), guard_.sent(),
              RampStep::of(dt_s_, in.settings.ramp_s, false).share, in.joints.effort_limit,
              in.joints.torque_rate_limit, dt_s_);
  out.drive = drive_.torque();
  out.send_drive = drive_.sends();
}

/// While the mode runs, and while a fallback compensates gravity with fresh states. A ramp to zero
/// is not changed, because it must end in time.
void ControlCycle::limit_to_envelope(const ControlView& in, ControlOutput& out) noexcept {
  const bool floats = phases_.phase() == Phase::kFallback && !fallback_.is_zero();
  if (!watchdog_.fresh() || !(phases_.phase() == Phase::kRunning || floats)) {
    return envelope_.reset();
  }
  // The next period is about as long as the last one, unless there was a pause.
  const double shortest_s = 1.0 / in.settings.rate_hz;
  const double period_s = std::clamp(dt_s_, shortest_s, 2.0 * shortest_s);
  out.faults |=
      envelope_.limit(in.joints.envelope,
                      {period_s, in.states.q, in.states.v, laws_.hardware(), world_.wrenches(),
                       in.joints.effort_limit, guard_.lowest(), guard_.highest()},
                      robot_, guard_.changeable());
  out.limited = envelope_.limited();
}

}  // namespace spatial_dynamics
