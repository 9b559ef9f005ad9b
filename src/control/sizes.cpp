#include "sizes.hpp"

#include <algorithm>

namespace spatial_dynamics {
namespace {

/// Copies if the sizes are equal, and returns whether they are.
template <typename Values>
bool copy_if_same_size(const Values& from, Values& to) noexcept {
  if (from.rows() != to.rows() || from.cols() != to.cols()) return false;
  to = from;
  return true;
}

}  // namespace

bool Sizes::fit(const JointSettings& joints) const noexcept {
  return is_nv(joints.kp) && is_nv(joints.kd) && is_nv(joints.stiffness) && is_nv(joints.damping) &&
         is_nv(joints.damping_ratio) && is_nv(joints.locked) && is_nv(joints.contact_threshold) &&
         is_nv(joints.effort_limit) && is_nv(joints.torque_rate_limit) &&
         is_nv(joints.braking_speed) && is_nv(joints.following_error_limit) &&
         joints.rate_is_default.size() == static_cast<std::size_t>(nv_) && fit(joints.envelope);
}

bool Sizes::fit(const EnvelopeLimits& limits) const noexcept {
  return is_nv(limits.soft_lower) && is_nv(limits.soft_upper) && is_nv(limits.hard_lower) &&
         is_nv(limits.hard_upper) && is_nv(limits.velocity);
}

bool Sizes::fit(const JointStates& states) const noexcept {
  return states.q.size() == nq_ && is_nv(states.v) && is_nv(states.effort) &&
         states.received.size() == scalars_ && states.has_effort.size() == scalars_;
}

bool Sizes::fit(const References& references) const noexcept {
  return references.joints.size() == scalars_;
}

bool Sizes::fit(const EffortCommand& command) const noexcept {
  return is_nv(command.effort) && command.received.size() == scalars_;
}

bool Sizes::fit(const Wrenches& wrenches) const noexcept {
  return std::all_of(wrenches.links.begin(), wrenches.links.end(),
                     [this](const LinkWrench& wrench) { return is_link(wrench.link); });
}

bool Sizes::fit(const Payloads& payloads) const noexcept {
  return std::all_of(payloads.links.begin(), payloads.links.end(),
                     [this](const LinkPayload& payload) { return is_link(payload.link); });
}

bool Sizes::fit(const ControlView& input) const noexcept {
  return fit(input.joints) && fit(input.states) && fit(input.references) &&
         fit(input.effort_command) && fit(input.wrenches) && fit(input.payloads) &&
         (input.stiffness == nullptr || fit(*input.stiffness));
}

bool Sizes::fit(const ControlOutput& output) const noexcept {
  const TorqueTerms& terms = output.terms;
  return output.q.size() == nq_ && is_nv(output.v) && is_nv(output.torque) && is_nv(output.drive) &&
         is_nv(output.acceleration) && is_nv(output.external_torque) && is_nv(terms.gravity) &&
         is_nv(terms.coriolis) && is_nv(terms.inertial) && is_nv(terms.friction) &&
         is_nv(terms.external) && output.position_error.size() == static_cast<Index>(scalars_) &&
         output.mass_matrix.rows() == output.mass_matrix.cols() &&
         (output.mass_matrix.rows() == nv_ || output.mass_matrix.rows() == 0);
}

void copy_where_sizes_fit(const ControlOutput& from, ControlOutput& to) noexcept {
  static_cast<ControlStatus&>(to) = from;
  copy_if_same_size(from.q, to.q);
  copy_if_same_size(from.v, to.v);
  copy_if_same_size(from.position_error, to.position_error);
  if (!copy_if_same_size(from.torque, to.torque)) to.send_torque = false;
  if (!copy_if_same_size(from.drive, to.drive)) to.send_drive = false;
  if (!copy_if_same_size(from.acceleration, to.acceleration)) to.send_acceleration = false;
  if (!copy_if_same_size(from.external_torque, to.external_torque)) to.send_external_torque = false;
  bool terms = copy_if_same_size(from.terms.gravity, to.terms.gravity);
  terms = copy_if_same_size(from.terms.coriolis, to.terms.coriolis) && terms;
  terms = copy_if_same_size(from.terms.inertial, to.terms.inertial) && terms;
  terms = copy_if_same_size(from.terms.friction, to.terms.friction) && terms;
  terms = copy_if_same_size(from.terms.external, to.terms.external) && terms;
  terms = copy_if_same_size(from.mass_matrix, to.mass_matrix) && terms;
  if (!terms) to.send_terms = false;
}

}  // namespace spatial_dynamics
