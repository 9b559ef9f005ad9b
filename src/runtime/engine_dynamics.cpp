// The part of Engine that asks the model.
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/algorithms/mass_matrix.hpp"
#include "spatial_dynamics/runtime/engine.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kSecond = 1e9;  // ns
constexpr double kTurn = 2.0 * M_PI;

}  // namespace

void Engine::apply_gravity(const EngineInputs& in) noexcept {
  model_.set_gravity(in.gravity.generation != 0 ? in.gravity.vector : in.settings.config.gravity);
}

void Engine::apply_payloads(std::int64_t now, const EngineInputs& in) noexcept {
  if (in.payloads.generation != payload_generation_) {
    payload_generation_ = in.payloads.generation;
    payload_since_ = now;
    payload_moving_ = true;
    std::copy(payload_now_.begin(), payload_now_.end(), payload_from_.begin());
    std::fill(payload_to_.begin(), payload_to_.end(), Inertia::Zero());
    for (const LinkPayload& payload : in.payloads.links) {
      payload_to_[static_cast<std::size_t>(payload.link)] = payload.inertia;
    }
  }
  if (!payload_moving_) return;
  const double ramp_s = in.settings.config.ramp_s;
  const double elapsed_s = static_cast<double>(now - payload_since_) / kSecond;
  const double s = ramp_s > 0.0 ? std::min(1.0, elapsed_s / ramp_s) : 1.0;
  payload_moving_ = s < 1.0;
  for (std::size_t l = 0; l < payload_now_.size(); ++l) {
    const bool same = payload_from_[l].mass == 0.0 && payload_to_[l].mass == 0.0;
    if (same) continue;
    // Inertias add, so every mixture of two payloads is a payload that matter can have.
    payload_now_[l] = s < 1.0 ? (1.0 - s) * payload_from_[l] + s * payload_to_[l] : payload_to_[l];
    model_.set_payload(static_cast<Index>(l), payload_now_[l]);
  }
}

void Engine::apply_wrenches(std::int64_t now, const EngineInputs& in) noexcept {
  if (wrenches_on_) wrenches_.clear();
  wrenches_on_ = false;
  for (const LinkWrench& wrench : in.wrenches.links) {
    const double age_s = static_cast<double>(now - wrench.received) / kSecond;
    if (age_s > in.settings.config.reference_timeout_s) continue;
    wrenches_.add(model_, wrench.link, wrench.wrench);
    wrenches_on_ = true;
  }
}

/// The accelerations that the mode asks for, the velocities at which Coulomb friction is compensated, and feed-forward efforts.
void Engine::command_acceleration(const Settings& settings, EngineOutputs& out) noexcept {
  const bool tracks = settings.config.torque_mode == TorqueMode::kComputedTorque;
  a_command_.setZero();
  feed_forward_.setZero();
  v_coulomb_ = out.v;
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
    if (reference.follows_reference) v_coulomb_(v) = reference.velocity;
    feed_forward_(v) = reference.effort;
    a_command_(v) = reference.acceleration;
    if (tracks) {
      // a = a_ref + Kd (v_ref - v) + Kp (q_ref - q)
      a_command_(v) +=
          settings.joints.kd(v) * (reference.velocity - out.v(v)) + settings.joints.kp(v) * error;
    }
  }
}

bool Engine::compute_torque(const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  out.q = in.states.q;
  out.v = in.states.v;
  command_acceleration(in.settings, out);
  const ExternalForces& external = wrenches_on_ ? wrenches_ : kNoExternalForces;
  const bool gravity_only = config.torque_mode == TorqueMode::kGravityCompensation;
  if (gravity_only) {
    wanted_ = inverse_dynamics(model_, data_, out.q, data_.zero, data_.zero, external);
  } else {
    wanted_ = inverse_dynamics(model_, data_, out.q, out.v, a_command_, external);
    wanted_ -= data_.friction;  // of the measured velocity; ours follows below
    const bool compensate =
        config.friction_compensation && !config.compensated_by_hardware.friction;
    if (compensate) wanted_ += friction_torque(model_, data_, out.v, v_coulomb_);
  }
  wanted_ += feed_forward_;

  hardware_.setZero();
  if (config.compensated_by_hardware.gravity) {
    hardware_ += gravity_torque(model_, data_, out.q);
  }
  if (config.compensated_by_hardware.coriolis && !gravity_only) {
    hardware_ += bias_torque(model_, data_, out.q, out.v);
    hardware_ -= gravity_torque(model_, data_, out.q);
  }
  wanted_ -= hardware_;
  if (floating_base_) wanted_.head<6>() += hardware_.head<6>();  // no motor acts on the base
  if (!wanted_.allFinite()) return false;
  computed_ = wanted_;
  held_q_ = out.q;
  compute_terms(in, out);
  return true;
}

void Engine::compute_terms(const EngineInputs& in, EngineOutputs& out) noexcept {
  const Config& config = in.settings.config;
  if (config.publish.mass_matrix) out.mass_matrix = mass_matrix(model_, data_, out.q);
  if (!config.publish.torque_terms) return;
  const bool gravity_only = config.torque_mode == TorqueMode::kGravityCompensation;
  out.terms.gravity = gravity_torque(model_, data_, out.q);
  out.terms.coriolis.setZero();
  out.terms.inertial.setZero();
  out.terms.friction.setZero();
  out.terms.external.setZero();
  if (wrenches_on_) {
    out.terms.external = inverse_dynamics(model_, data_, out.q, data_.zero, data_.zero, wrenches_);
    out.terms.external -= out.terms.gravity;
  }
  if (gravity_only) return;
  out.terms.coriolis = bias_torque(model_, data_, out.q, out.v);
  out.terms.coriolis -= out.terms.gravity;
  out.terms.inertial = inverse_dynamics(model_, data_, out.q, data_.zero, a_command_);
  out.terms.inertial -= out.terms.gravity;
  if (config.friction_compensation && !config.compensated_by_hardware.friction) {
    out.terms.friction = friction_torque(model_, data_, out.v, v_coulomb_);
  }
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
        const double age_s = static_cast<double>(now - received) / kSecond;
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
  const ExternalForces& external = wrenches_on_ ? wrenches_ : kNoExternalForces;
  out.acceleration = forward_dynamics(model_, data_, out.q, out.v, effort_, external);
  if (data_.singular) out.faults |= static_cast<Faults>(Fault::kSingular);
  out.send_acceleration = !data_.singular && out.acceleration.allFinite();
}

void Engine::observe(const EngineInputs& in, EngineOutputs& out) noexcept {
  if (!in.settings.config.publish.external_torque) return;
  if (out.effort_was_measured) {
    effort_ = in.states.effort;
  } else {
    effort_ = sent_ + hardware_;
    if (floating_base_) effort_.head<6>().setZero();
  }
  out.external_torque = observer_.update(model_, data_, out.q, out.v, effort_,
                                         in.settings.config.observer_gain, dt_s_);
  if (!out.external_torque.allFinite()) {
    out.external_torque.setZero();
    observer_.reset();
  }
}

}  // namespace spatial_dynamics
