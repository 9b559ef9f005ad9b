// The part of Engine that asks the model.
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/engine.hpp"
#include "spatial_dynamics/runtime/feedback.hpp"

namespace spatial_dynamics {

/// The accelerations that the mode asks for, the velocities at which friction is compensated, and feed-forward efforts.
void Engine::command_acceleration(const Settings& settings, EngineOutputs& out) noexcept {
  const bool tracks = settings.config.torque_mode == TorqueMode::kComputedTorque;
  a_command_.setZero();
  feed_forward_.setZero();
  v_viscous_ = v_coulomb_ = out.v;
  follows_.setZero();
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const ScalarCoordinate& coordinate = coordinates_[k];
    const ReferenceSample& reference = tracker_[k];
    const Index v = coordinate.v;
    double error = 0.0;
    if (reference.has_position) {
      error = reference.position - out.q(coordinate.q);
      if (coordinate.wraps) error = std::remainder(error, kTurn);  // the short way round
    }
    out.position_error(static_cast<Index>(k)) = error;
    follows_(v) = reference.follows_reference;
    if (follows_(v) > 0.0) v_coulomb_(v) = reference.velocity;
    feed_forward_(v) = reference.effort;
    a_command_(v) = reference.acceleration;
    if (tracks) {
      // a = a_ref + Kd (v_ref - v) + Kp (q_ref - q)
      const double kp = kp_.now()(v), kd = kd_.now()(v);
      a_command_(v) += kd * (reference.velocity - out.v(v)) + kp * error;
      v_viscous_(v) = reference.velocity + error_decay_rate(kp, kd) * error;
    }
  }
}

/// Our share of the friction. Of a reference that fades, Coulomb friction is blended and not its velocity: that one may pass through
/// zero, where the friction turns over within a few cycles.
void Engine::compute_friction(const EngineOutputs& out) noexcept {
  const double share = shares_.now()(2);
  friction_.setZero();
  if (share == 0.0) return;
  friction_ = share * friction_torque(model_, data_, v_viscous_, v_coulomb_);
  const bool fading = (follows_.array() > 0.0 && follows_.array() < 1.0).any();
  if (!fading) return;
  const VectorXd& measured = friction_torque(model_, data_, v_viscous_, out.v);
  for (Index k = 0; k < model_.nv(); ++k) {
    const double f = follows_(k);
    if (f > 0.0) friction_(k) = f * friction_(k) + (1.0 - f) * share * measured(k);
  }
}

bool Engine::compute_torque(const EngineInputs& in, EngineOutputs& out) noexcept {
  out.q = in.states.q;
  out.v = in.states.v;
  command_acceleration(in.settings, out);
  const Force* const external = wrenches_on_ ? &wrenches_.on_body(0) : nullptr;
  const bool gravity_only = in.settings.config.torque_mode == TorqueMode::kGravityCompensation;
  if (gravity_only) {
    wanted_ = inverse_dynamics(compact_, work_, out.q, data_.zero, data_.zero, external);
  } else {
    wanted_ = inverse_dynamics(compact_, work_, out.q, out.v, a_command_, external);
    wanted_ -= friction_torque(model_, data_, out.v, out.v);  // measured; ours follows below
    compute_friction(out);
    wanted_ += friction_;
  }
  wanted_ += feed_forward_;

  leave_to_hardware(out, gravity_only);
  if (!wanted_.allFinite()) return false;
  computed_ = wanted_;
  held_q_ = out.q;
  compute_terms(in, out);
  return true;
}

/// What the robot's own controller adds, whether we would ask for it or not, is not ours to send.
void Engine::leave_to_hardware(const EngineOutputs& out, bool gravity_only) noexcept {
  const double gravity = 1.0 - our_gravity(), coriolis = 1.0 - shares_.now()(1),
               friction = shares_.now()(3);
  const auto add = [&](double share, const VectorXd& torque) {
    hardware_ += share * torque;
    if (floating_base_) hardware_.head<6>().setZero();  // no motor acts on the base
  };
  hardware_.setZero();
  if (coriolis > 0.0) {
    add(coriolis, bias_torque(compact_, work_, out.q, out.v));
    add(-coriolis, gravity_torque(compact_, work_, out.q));
    if (gravity_only) wanted_ += hardware_;  // was not asked for
  }
  if (gravity > 0.0) add(gravity, gravity_torque(compact_, work_, out.q));
  wanted_ -= hardware_;
  if (friction > 0.0) hardware_ += friction * friction_torque(model_, data_, out.v);
}

void Engine::compute_terms(const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  out.send_terms = true;
  if (config.publish.mass_matrix) out.mass_matrix = mass_matrix(compact_, work_, out.q);
  external_.setZero();
  if (wrenches_on_ && (config.publish.torque_terms || config.publish.external_torque)) {
    external_ =
        inverse_dynamics(compact_, work_, out.q, data_.zero, data_.zero, &wrenches_.on_body(0));
    external_ -= gravity_torque(compact_, work_, out.q);
  }
  if (!config.publish.torque_terms) return;
  const bool gravity_only = config.torque_mode == TorqueMode::kGravityCompensation;
  out.terms.external = external_;
  out.terms.gravity = gravity_torque(compact_, work_, out.q);
  out.terms.coriolis.setZero();
  out.terms.inertial.setZero();
  out.terms.friction.setZero();
  if (gravity_only) return;
  out.terms.coriolis = bias_torque(compact_, work_, out.q, out.v);
  out.terms.coriolis -= out.terms.gravity;
  out.terms.inertial = inverse_dynamics(compact_, work_, out.q, data_.zero, a_command_);
  out.terms.inertial -= out.terms.gravity;
  out.terms.friction = friction_;
}

/// Forward dynamics of the effort at work. Leaves send_acceleration false where that is not known.
void Engine::compute_acceleration(std::int64_t now, const EngineInputs& in,
                                  EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  const bool measured =
      !coordinates_.empty() && std::all_of(in.states.has_effort.begin(), in.states.has_effort.end(),
                                           [](std::uint8_t known) { return known != 0; });
  EffortSource source = config.effort_source;
  if (source == EffortSource::kAuto)
    source = measured ? EffortSource::kMeasured : EffortSource::kOwn;
  out.effort_was_measured = source == EffortSource::kMeasured;
  switch (source) {
    case EffortSource::kMeasured:
      if (!measured) return;
      effort_ = in.states.effort;
      break;
    case EffortSource::kCommand:
      for (const std::int64_t received : in.effort_command.received) {
        const double age_s = to_seconds(now - received);
        if (received != 0 && age_s <= config.reference_timeout_s) continue;
        out.faults |= static_cast<Faults>(Fault::kStaleCommand);
        return;
      }
      effort_ = in.effort_command.effort;
      break;
    case EffortSource::kAuto:
    case EffortSource::kOwn:
      effort_ = sent_ + hardware_;
      break;
  }
  if (floating_base_) effort_.head<6>().setZero();
  const Force* const external = wrenches_on_ ? &wrenches_.on_body(0) : nullptr;
  out.acceleration = forward_dynamics(compact_, work_, out.q, out.v, effort_, external);
  if (work_.singular) out.faults |= static_cast<Faults>(Fault::kSingular);
  out.send_acceleration = !work_.singular && out.acceleration.allFinite();
}

void Engine::observe(const EngineInputs& in, EngineOutputs& out) noexcept {
  if (!in.settings.config.publish.external_torque) return;
  if (out.effort_was_measured) {
    effort_ = in.states.effort;
  } else {
    effort_ = sent_ + hardware_;
    if (floating_base_) effort_.head<6>().setZero();
  }
  effort_ -= external_;  // what known wrenches do is explained
  out.external_torque = observer_.update(model_, data_, out.q, out.v, effort_,
                                         in.settings.config.observer_gain, dt_s_);
  out.send_external_torque = out.external_torque.allFinite();
  if (!out.send_external_torque) {
    out.external_torque.setZero();
    observer_.reset();
  }
}

}  // namespace spatial_dynamics
