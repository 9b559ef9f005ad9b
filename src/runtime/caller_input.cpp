#include "runtime/caller_input.hpp"

#include <cmath>

#include "runtime/messages.hpp"

namespace spatial_dynamics {
namespace {

/// Whether the caller only repeats a setpoint, as a controller does that holds a position.
bool same_setpoint(const Knot& a, const Knot& b) noexcept {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return same(a.position, b.position) && same(a.velocity, b.velocity) &&
         same(a.acceleration, b.acceleration) && same(a.effort, b.effort);
}

}  // namespace

CallerInput::CallerInput(const Model& model, const Coordinates& coordinates)
    : coordinates_(coordinates), joints_(coordinates.size()), limits_(model, coordinates) {
  ControlInput blank = make_control_input(model, coordinates);
  states_ = std::move(blank.states);
  references_ = std::move(blank.references);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const spatial_dynamics::Joint& joint = model.joint(coordinates_[k].joint);
    measure(k);
    if (joint.type == JointType::kPlanar) continue;  // its limit can't be both rad/s and m/s
    joints_[k].filter = JointFilter(joint.limits.velocity, coordinates_[k].wraps);
  }
}

void CallerInput::measure(std::size_t k) noexcept {
  joints_[k].held = std::numeric_limits<double>::quiet_NaN();
}

void CallerInput::follow_caller(std::uint64_t generation) noexcept {
  follows_caller_ = true;
  generation_ = std::max(generation_, generation);
  for (JointReference& reference : references_.joints) reference = JointReference{};
}

void CallerInput::set_reference(std::size_t k, std::int64_t now, const Knot& setpoint) noexcept {
  const auto given = [](double x) { return is_plausible(x) ? x : 0.0; };
  JointReference next;
  next.has_position = is_plausible(setpoint.position);
  next.has_velocity = is_plausible(setpoint.velocity);
  next.has_acceleration = is_plausible(setpoint.acceleration);
  next.has_effort = is_plausible(setpoint.effort);
  if (!next.has_position && !next.has_velocity && !next.has_acceleration && !next.has_effort) {
    return;
  }
  // A setpoint beyond the limits that moves is new in each cycle, although clipping stops it.
  const Knot before = std::exchange(joints_[k].setpoint, setpoint);
  const std::uint64_t last = references_.joints[k].generation;
  const bool repeated = last != 0 && same_setpoint(before, setpoint);
  next.generation = repeated ? last : ++generation_;
  next.received = next.start = now;
  next.immediate = true;
  next.setpoint = {0.0, given(setpoint.position), given(setpoint.velocity),
                   given(setpoint.acceleration), given(setpoint.effort)};
  if (next.has_position) clipped_ = limits_.clip(k, next.setpoint) || clipped_;
  references_.joints[k] = next;
}

/// Whether one of the joints jumped: then all readings are dropped, because hardware that reports
/// one impossible number can't be trusted with the others.
bool CallerInput::jumps(const ReadingTime& time, double factor) noexcept {
  bool jump = false, real_jump = false;
  for (Joint& joint : joints_) {
    if (!std::isnan(joint.held) || !is_plausible_state(joint.reading.position)) continue;
    const JumpFilter::Verdict verdict = joint.filter.judge(joint.reading, time, factor);
    jump = jump || verdict == JumpFilter::Verdict::kJump;
    real_jump = real_jump || verdict == JumpFilter::Verdict::kRealJump;
  }
  if (real_jump && !jump) ++states_.resets;
  return jump;
}

const JointStates& CallerInput::update(std::int64_t now, std::int64_t stamp, const Config& config,
                                       const JointStates& base) noexcept {
  const ReadingTime time{now, false, 0};
  const bool jump = jumps(time, config.state_jump_factor);
  bool taken = false;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    Joint& joint = joints_[k];
    if (!std::isnan(joint.held)) {
      states_.q(coordinates_[k].q) = joint.held;
      states_.v(coordinates_[k].v) = 0.0;
      states_.received[k] = now;
    } else if (!jump && is_plausible_state(joint.reading.position)) {
      (void)joint.filter.accept(joint.reading, time, config.missing_velocity,
                                config.state_jump_factor, coordinates_[k], k, states_);
      taken = true;
    }
  }
  if (coordinates_.floating_base()) {
    states_.q.head<7>() = base.q.head<7>();
    states_.v.head<6>() = base.v.head<6>();
    states_.base_received = base.base_received;
  }
  if (!taken) return states_;
  states_.newest = now;
  states_.stamp = stamp;
  ++states_.sequence;
  return states_;
}

}  // namespace spatial_dynamics
