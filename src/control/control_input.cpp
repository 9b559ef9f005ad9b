#include "spatial_dynamics/control/control_input.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics {
namespace {

/// Counts a call with a wrong size, and returns whether its sizes were right.
bool accept(std::uint64_t& rejected, bool fits) noexcept {
  if (!fits) ++rejected;
  return fits;
}

bool is_index(Index i, std::size_t size) noexcept { return i >= 0 && i < static_cast<Index>(size); }

}  // namespace

void ControlInput::set_state(std::int64_t now, VectorView q, VectorView v) noexcept {
  const bool fits = q.size() == states.q.size() && v.size() == states.v.size();
  if (!accept(rejected, fits)) return;
  states.q = q.map();
  states.v = v.map();
  std::fill(states.received.begin(), states.received.end(), now);
  std::fill(states.has_effort.begin(), states.has_effort.end(), std::uint8_t{0});
  states.base_received = states.newest = now;
  ++states.sequence;
}

void ControlInput::set_state(std::int64_t now, VectorView q, VectorView v,
                             VectorView effort) noexcept {
  const std::uint64_t before = rejected;
  if (!accept(rejected, effort.size() == states.effort.size())) return;
  set_state(now, q, v);
  if (rejected != before) return;
  states.effort = effort.map();
  std::fill(states.has_effort.begin(), states.has_effort.end(), std::uint8_t{1});
}

void ControlInput::set_reference(std::int64_t now, VectorView position, VectorView velocity,
                                 VectorView acceleration) noexcept {
  const auto size = static_cast<Index>(references.joints.size());
  const bool fits =
      position.size() == size && velocity.size() == size && acceleration.size() == size;
  if (!accept(rejected, fits)) return;
  for (Index k = 0; k < size; ++k) {
    JointReference& reference = references.joints[static_cast<std::size_t>(k)];
    // Later references must not start. They are not erased, because that would free memory.
    for (JointReference& next : reference.later) {
      reference.generation = std::max(reference.generation, next.generation);
      next.start = INT64_MAX;
    }
    ++reference.generation;
    reference.received = reference.start = now;
    reference.immediate = true;
    reference.has_position = reference.has_velocity = reference.has_acceleration = true;
    reference.has_effort = reference.starts_on_arrival = false;
    reference.setpoint = {0.0, position.data()[k], velocity.data()[k], acceleration.data()[k], 0.0};
    if (limits.clip(static_cast<std::size_t>(k), reference.setpoint)) ++clipped;
  }
}

void ControlInput::set_stiffness(const Coordinates& coordinates, VectorView values) noexcept {
  bool fits = values.size() == static_cast<Index>(coordinates.size());
  for (Index k = 0; fits && k < values.size(); ++k) fits = std::isfinite(values.data()[k]);
  if (!accept(rejected, fits)) return;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    stiffness.stiffness(coordinates[k].v) = values.data()[k];
  }
}

void ControlInput::set_wrench(std::int64_t now, Index link, const Force& wrench) noexcept {
  if (!accept(rejected, is_index(link, wrenches.links.size()))) return;
  wrenches.links[static_cast<std::size_t>(link)] = {link, wrench, now};
}

void ControlInput::set_payload(Index link, const Inertia& payload) noexcept {
  if (!accept(rejected, is_index(link, payloads.links.size()))) return;
  payloads.links[static_cast<std::size_t>(link)] = {link, payload, 0};
  ++payloads.generation;
}

void ControlInput::set_gravity(const Vector3& new_gravity) noexcept {
  gravity.vector = new_gravity;
  ++gravity.generation;
}

ControlInput make_control_input(const Model& model, const Coordinates& coordinates) {
  ControlInput input;
  input.limits = PositionLimits(model, coordinates);
  input.states.q = neutral_configuration(model);
  input.states.v = input.states.effort = VectorXd::Zero(model.nv());
  input.states.received.assign(coordinates.size(), 0);
  input.states.has_effort.assign(coordinates.size(), 0);
  input.references.joints.resize(coordinates.size());
  input.effort_command = {VectorXd::Zero(model.nv()),
                          std::vector<std::int64_t>(coordinates.size(), 0)};
  input.stiffness.stiffness = VectorXd::Constant(model.nv(), -1.0);
  for (Index link = 0; link < model.link_count(); ++link) {
    input.wrenches.links.push_back({link, Force::Zero(), 0});
    input.payloads.links.push_back({link, model.payload(link), 0});
  }
  return input;
}

}  // namespace spatial_dynamics
