#include "optional_results.hpp"

#include <algorithm>
#include <utility>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

OptionalResults::OptionalResults(const Model& model)
    : observer_(model), external_(VectorXd::Zero(model.nv())), effort_(external_) {}

namespace {

bool observes(const ControlSettings& settings) noexcept {
  return settings.compute.external_torque || settings.contact.reaction != ContactReaction::kNone;
}

}  // namespace

void OptionalResults::compute_terms(const ControlSettings& settings, TorqueMode mode,
                                    const TorqueLaws& laws, const ExternalForces& external,
                                    RobotDynamics& robot, ControlOutput& out) noexcept {
  const OptionalComputation& compute = settings.compute;
  out.send_terms = true;
  if (compute.mass_matrix && out.mass_matrix.size() > 0) out.mass_matrix = robot.mass_matrix(out.q);
  external_.setZero();
  if (!external.empty() && (compute.torque_terms || observes(settings))) {
    external_ = robot.torque(out.q, robot.zero(), robot.zero(), external);
    external_ -= robot.gravity_torque(out.q);
  }
  if (!compute.torque_terms) return;
  TorqueTerms& terms = out.terms;
  terms.external = external_;
  terms.gravity = robot.gravity_torque(out.q);
  terms.coriolis.setZero();
  terms.inertial.setZero();
  terms.friction.setZero();
  if (mode == TorqueMode::kGravityCompensation) return;
  if (mode == TorqueMode::kJointImpedance || mode == TorqueMode::kHandGuiding) {
    terms.coriolis = laws.reference_coriolis();
  } else {
    terms.coriolis = robot.bias_torque(out.q, out.v);
    terms.coriolis -= terms.gravity;
  }
  terms.inertial = robot.torque(out.q, robot.zero(), laws.acceleration());
  terms.inertial -= terms.gravity;
  terms.inertial += laws.spring_torque();
  terms.friction = laws.friction();
}

/// Sets effort_. Returns false and sets a fault if the effort is not known.
bool OptionalResults::choose_effort(std::int64_t now, const ControlView& in,
                                    const VectorXd& own_effort, ControlOutput& out) noexcept {
  const std::vector<std::uint8_t>& has_effort = in.states.has_effort;
  const bool measured =
      !has_effort.empty() && std::all_of(has_effort.begin(), has_effort.end(),
                                         [](std::uint8_t known) { return known != 0; });
  EffortSource source = in.settings.effort_source;
  if (source == EffortSource::kAuto) {
    source = measured ? EffortSource::kMeasured : EffortSource::kOwn;
  }
  out.effort_was_measured = source == EffortSource::kMeasured && measured;
  if (source == EffortSource::kMeasured) {
    if (!measured) out.faults |= static_cast<Faults>(Fault::kNoEffort);
    effort_ = in.states.effort;
    return measured;
  }
  if (source == EffortSource::kCommand) {
    effort_ = in.effort_command.effort;
    for (const std::int64_t received : in.effort_command.received) {
      if (is_fresh(now, received, in.settings.reference_timeout_s)) continue;
      out.faults |= static_cast<Faults>(Fault::kStaleCommand);
      return false;
    }
    return true;
  }
  effort_ = own_effort;
  return true;
}

void OptionalResults::compute_acceleration(std::int64_t now, const ControlView& in,
                                           const VectorXd& own_effort, bool floating_base,
                                           const ExternalForces& external, Envelope& envelope,
                                           RobotDynamics& robot, ControlOutput& out) noexcept {
  if (!choose_effort(now, in, own_effort, out)) return;
  if (floating_base) effort_.head<6>().setZero();
  if (envelope.acceleration_by(effort_, out.acceleration)) {
    out.send_acceleration = true;
    return;
  }
  out.acceleration = robot.acceleration(out.q, out.v, effort_, external);
  if (robot.singular()) out.faults |= static_cast<Faults>(Fault::kSingular);
  out.send_acceleration = !robot.singular() && out.acceleration.allFinite();
}

void OptionalResults::observe(const ControlView& in, const VectorXd& own_effort, bool floating_base,
                              double dt_s, RobotDynamics& robot, ControlOutput& out) noexcept {
  if (!observes(in.settings)) return;
  // The measured and the sent effort differ by more than an external torque, so a change of the
  // source restarts the observer.
  if (std::exchange(observed_measured_, out.effort_was_measured) != out.effort_was_measured) {
    observer_.reset();
  }
  if (has(out.faults, Fault::kNoEffort)) {
    observer_.reset();
    out.external_torque.setZero();
    return;
  }
  if (out.effort_was_measured) {
    effort_ = in.states.effort;
  } else {
    effort_ = own_effort;
    if (floating_base) effort_.head<6>().setZero();
  }
  effort_ -= external_;  // known wrenches are not part of the estimate
  out.external_torque = observer_.update(robot.model(), robot.data(), out.q, out.v, effort_,
                                         in.settings.observer_gain, dt_s);
  out.send_external_torque = out.external_torque.allFinite();
  if (!out.send_external_torque) {
    out.external_torque.setZero();
    observer_.reset();
  }
}

}  // namespace spatial_dynamics
